"""The `hero` bot: it plans ways to its quests by costs and probabilities, and as lord of the dungeon it attacks where
that is worth it.

It uses only the views of its seat and keeps no state between moves.
"""

from collections.abc import Callable, Mapping
from random import Random

from engine import Move, Own, Shared
from engine.games.dungeoneer import bot_answers, bot_deeds, bot_lord
from engine.games.dungeoneer.plan import Mind
from engine.games.dungeoneer.view import Private, Public


def hero(shared: Shared[Public], own: Own[Private], luck: Random) -> Move:
    if len(own.moves) == 1:
        return own.moves[0]
    choose = CHOICES.get(shared.asks)
    return choose(Mind(shared.public, own)) if choose else own.moves[0]


CHOICES: Mapping[str, Callable[[Mind], Move]] = {
    "ChooseHero": bot_deeds.choose_hero,
    "Lay": bot_deeds.lay,
    "LayTile": bot_deeds.lay,
    "Deeds": bot_deeds.deeds,
    "Transfer": bot_deeds.transfer,
    "Villainy": bot_lord.villainy,
    "GroupDraft": bot_lord.group,
    "LairOrHand": bot_lord.lair_or_hand,
    "GivePeril": bot_lord.give_peril,
    "Victim": bot_lord.victim,
    "Forced": bot_lord.forced,
    "Window": bot_answers.window,
    "Respond": bot_answers.respond,
    "WoundMoment": bot_answers.wound,
    "Challenge": bot_answers.challenge,
    "StrikeHero": bot_answers.strike_hero,
    "DiscardOne": bot_answers.discard,
    "DropCard": bot_answers.drop_card,
    "Draw": bot_answers.draw,
    "Reap": bot_answers.reap,
}
