"""The words of an answer: whether they are legal, which of them stay secret, and the answer of who has no choice."""

from engine.steps import Ask, Draft, Move, State


def legal_draft(ask: Ask, state: State, seat: int, draft: Draft, whole: bool = True) -> bool:
    """Whether each word of this draft was legal in turn, and the draft is complete (`whole`) or incomplete."""
    for i, word in enumerate(draft):
        before = draft[:i]
        if not ask.unfinished(state, seat, before) or word not in ask.options(state, seat, before):
            return False
    return ask.unfinished(state, seat, draft) is not whole


def only_answer(ask: Ask, state: State, seat: int, options: list[Move]) -> Draft | None:
    """The answer of a seat that has no choice; None if it has one. `options`: those of its first word."""
    draft: Draft = ()
    while len(options) == 1:
        draft = (*draft, options[0])
        if not ask.unfinished(state, seat, draft):
            return draft
        options = ask.options(state, seat, draft)
    return None


def open_and_kept(ask: Ask, draft: Draft) -> tuple[Draft, Draft]:
    """Split a draft into the words that the reveal opens and those kept secret."""
    openly = tuple(word for word in draft if not ask.kept(word))
    closed = draft[len(openly) :]
    assert all(ask.kept(word) for word in closed), "kept words come last"
    return openly, closed
