// Our protocol for the load generator of the peers: copied by bench/peers.py to its loadgen/adapters/facedown.js.
// Whole games of Raiders, second edition, sealed. No crystal balls, so that a game has 25 asks as theirs has.
module.exports = ({ base, players, READY, NOTICE, REVEAL, OTHER }) => {
  const post = async (path, said, bearer) => {
    const headers = { "content-type": "application/json", accept: "application/json" };
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(said) });
    if (!answer.ok) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    async createRoom() {
      const { token, bearer } = await post("/tables", { game: "raiders", name: "p0" });
      const bearers = [bearer];
      while (bearers.length < players)
        bearers.push((await post(`/t/${token}/join`, { name: `p${bearers.length}` })).bearer);
      await post(`/t/${token}/act`, { do: "options", options: { edition: "second", play: "sealed" } }, bearer);
      await post(`/t/${token}/act`, { do: "start" }, bearer);
      const url = `${base.replace(/^http/, "ws")}/t/${token}/live?as=json`;
      return { seats: bearers.map((one) => ({ url, headers: { authorization: `Bearer ${one}` } })) };
    },
    onMessage(conn, data) {
      const news = JSON.parse(data);
      if (news.error) throw new Error(news.error.reason);
      const first = conn.moves === undefined;
      const plays = conn.plays;
      if (first) conn.moves = [];
      if (news.plays) conn.plays = news.plays;
      if (news.own?.moves) conn.moves = news.own.moves.filter((move) => move !== "ball");
      const asked = news.shared?.round;
      if (asked) conn.asked = asked;
      if (first) return READY;
      if (plays !== conn.plays) {
        if (conn.again) conn.again();
        return OTHER;
      }
      if (!asked) return NOTICE;
      conn.round = asked - 2;
      return REVEAL;
    },
    commit(conn) {
      const move = conn.moves[Math.floor(Math.random() * conn.moves.length)];
      conn.ws.send(`{"do":"play","round":${conn.asked},"move":"${move}"}`);
    },
    async nextGame(room) {
      const again = room.conns.map(
        (conn) =>
          new Promise((done) => {
            conn.again = done;
          }),
      );
      room.conns[0].ws.send('{"do":"rematch"}');
      room.conns[0].ws.send('{"do":"start"}');
      await Promise.all(again);
    },
  };
};
