// The wire format: every answer of the server and every message of a table's WebSocket.
// Written by `python -m stich.serve.wire` from the server's types in src/stich/serve/wire: change those.

export {};

/**
 * What stands on a card.
 * @typedef {object} Face
 * @property {string | null} suit Its suit, as in `hearts` or `trump`; null where the game does not say what its cards show.
 * @property {string} rank Its rank, as in `A` or `10`; without a suit the card's code.
 */

/**
 * A strength of play that a game offers by name.
 * @typedef {object} Level
 * @property {string} level Its name in requests: `random`, `beginner`, `regular`, `strong`, `expert`.
 * @property {number} strength Its place from weak (0) to strong.
 * @property {string} agent The spec of the agent behind it.
 * @property {boolean} rates Whether it rates moves, and so can be a coach.
 */

/**
 * An argument of an agent.
 * @typedef {object} Argument
 * @property {string} name Its name in a spec.
 * @property {string} doc What it does.
 * @property {string | null} default Its default; null where it must be given.
 */

/**
 * An agent that may be named at this server.
 * @typedef {object} AgentKind
 * @property {string} name Its name in a spec.
 * @property {string} doc What it is, in one line.
 * @property {Argument[]} arguments What its spec takes.
 */

/**
 * A switch of a game's rules.
 * @typedef {object} GameOption
 * @property {string} name Its name in requests.
 * @property {string} doc What it changes.
 * @property {string[] | null} choices The values it takes; null where it is a number.
 * @property {number | null} low The lowest number; null where there are choices.
 * @property {number | null} high The highest number; null where there are choices.
 */

/**
 * A variant of a game.
 * @typedef {object} Variant
 * @property {string} name The name by which its tables are made.
 * @property {string} variant What its tables call it.
 * @property {string} doc What it is, in one line.
 * @property {number} seats How many play.
 * @property {number} home_seat Where a single person sits.
 * @property {number[] | null} teams The team of each seat; null where everybody plays alone or teams change.
 * @property {number[]} bounds The lowest and the highest result of a game.
 * @property {Record<string, string | number | boolean>} options The value of each switch of the rules.
 */

/**
 * A game with its variants, and all that is needed to offer and draw them.
 * @typedef {object} Family
 * @property {string} family Its name; that of a file or module stands before a stranger's.
 * @property {string} title Its name for people.
 * @property {string} about What it is, in one line.
 * @property {GameOption[]} options The switches of its rules.
 * @property {Level[]} levels The strengths of play, from weak to strong.
 * @property {AgentKind[]} agents The agents that may be named.
 * @property {Record<string, Face>} cards Every card by its code.
 * @property {string | null} pack How the faces are drawn: `french`, `tarock` or `wizard`; null where a card is its text.
 * @property {Variant[]} variants What can be played.
 */

/**
 * A game of the settings that cannot be played.
 * @typedef {object} Unavailable
 * @property {string} name How the settings call it.
 * @property {string} reason Why it failed.
 */

/**
 * Everything that can be played here.
 * @typedef {object} GameList
 * @property {Family[]} families The games.
 * @property {Unavailable[]} unavailable Those that failed.
 */

/**
 * A legal action.
 * @typedef {object} Action
 * @property {number} action Its id, which is sent to play it.
 * @property {string} name Its name in transcripts.
 * @property {Record<string, string | number | string[] | number[]>} says What it means, as a fact.
 * @property {string | null} card The code of the card to click for it (of a marriage and a push, too); null for other choices.
 */

/**
 * A seat's cards.
 * @typedef {object} Hand
 * @property {number} seat Whose they are.
 * @property {string[]} cards Those that the view shows.
 * @property {number} count How many there are.
 */

/**
 * Other cards on the table: stock, turned card, Legage.
 * @typedef {object} Row
 * @property {string} pile What they are, by id.
 * @property {string[]} cards Those that lie open.
 * @property {number} [count] How many there are with the hidden ones.
 */

/**
 * A card in a trick.
 * @typedef {object} Played
 * @property {number} seat Who played it.
 * @property {string} card Its code.
 */

/**
 * Durak: an attack card and what beats it.
 * @typedef {object} Pair
 * @property {string} attack The code of the attack card.
 * @property {string | null} answer The code of the card that beats it; null while it is open.
 */

/**
 * A line of the score.
 * @typedef {object} Score
 * @property {number[]} seats The seats that it belongs to.
 * @property {number} value Points.
 * @property {Record<string, string | number | string[] | number[]> | null} [note] What else is counted, as a fact: bid and tricks, points of the deal.
 */

/**
 * A position as a seat sees it, or with all cards open in a replay.
 * @typedef {object} View
 * @property {string} game The variant.
 * @property {number | null} seat Whose view it is; null in a replay.
 * @property {number | null} player Who is to act; null when the game is over.
 * @property {boolean} over Whether the game is over.
 * @property {number[] | null} returns Each seat's result when it is over.
 * @property {string} phase What is decided, in the game's word: `trump`, `cards`, `bidding`; empty where it has no phases.
 * @property {number} stage How many deals have ended.
 * @property {Action[]} legal What may be done; empty when it is somebody else's turn.
 * @property {Hand[]} hands The cards of each seat, as far as they are seen.
 * @property {Row[]} rows Other cards on the table.
 * @property {Played[]} trick The trick on the table in the order of play.
 * @property {Played[]} last_trick The trick before it.
 * @property {Score[]} scores The score.
 * @property {number | null} [taken_by] Who took the last trick.
 * @property {Record<string, string | number | string[] | number[]> | null} [trump] Trump or contract, as a fact.
 * @property {string | null} [ask] What is asked of the player by id, where a phase asks several things.
 * @property {number} [dealer] Who dealt.
 * @property {number} [defender] Durak: who defends.
 * @property {Pair[]} [pairs] Durak: the attack cards with what beats them.
 * @property {string | null} [chosen] Durak: a card that could beat several and waits for its target.
 */

/**
 * A move as a seat saw it; `action`, `name` and `says` are null where only the player knows them.
 * @typedef {object} Event
 * @property {number} number The number of the move, from 0.
 * @property {number} seat Who moved.
 * @property {number | null} action The id of the action.
 * @property {string | null} name Its name in transcripts.
 * @property {Record<string, string | number | string[] | number[]> | null} says What it means, as a fact.
 * @property {(Record<string, string | number | string[] | number[]>)[]} news What it led to, as facts: who took the trick, what the round brought.
 */

/**
 * What a search thinks of an action, in the units of the game's results.
 * @typedef {object} Value
 * @property {number} action The id of the action.
 * @property {string} name Its name in transcripts.
 * @property {number} value The mean result.
 * @property {number | null} low The lower end of its 95 % interval; null where it is not known.
 * @property {number | null} high The upper end.
 * @property {number} visits How often it was tried.
 */

/**
 * Who sits at a seat.
 * @typedef {object} Sitter
 * @property {"person" | "agent" | "open"} kind A person, an agent, or nobody yet.
 * @property {string} name The person's name, or the agent's level or spec.
 * @property {string} agent The agent's spec; empty for others.
 * @property {boolean} left Whether the agent plays for the person of this name, who has left.
 */

/**
 * A seat of a table in memory.
 * @typedef {object} Seat
 * @property {"person" | "agent" | "open"} kind A person, an agent, or nobody yet.
 * @property {string} name The person's name, or the agent's level or spec.
 * @property {string} agent The agent's spec; empty for others.
 * @property {boolean} left Whether the agent plays for the person of this name, who has left.
 * @property {number} seat Its number.
 * @property {boolean} here Whether somebody is connected for it.
 */

/**
 * What everybody may know of a table.
 * @typedef {object} TableInfo
 * @property {string} table Its id.
 * @property {string} game The variant.
 * @property {Record<string, string | number | boolean>} options The switches of its rules.
 * @property {"open" | "running" | "finished" | "abandoned"} status Whether it waits for players, runs, has ended, or was given up.
 * @property {number} created When it was made, in seconds since 1970.
 * @property {number} moves How many moves have been played.
 * @property {boolean} coach Whether it has a coach.
 * @property {Seat[]} seats Who sits where.
 */

/**
 * A new table; the secrets are told only here.
 * @typedef {object} MadeTable
 * @property {string} table Its id.
 * @property {string} game The variant.
 * @property {Record<string, string | number | boolean>} options The switches of its rules.
 * @property {"open" | "running" | "finished" | "abandoned"} status Whether it waits for players, runs, has ended, or was given up.
 * @property {number} created When it was made, in seconds since 1970.
 * @property {number} moves How many moves have been played.
 * @property {boolean} coach Whether it has a coach.
 * @property {Seat[]} seats Who sits where.
 * @property {number | null} seat One's own seat; null where one only watches.
 * @property {string | null} token The secret of that seat.
 * @property {string | null} invite The secret for the open seats; null where there are none.
 */

/**
 * A seat taken by invitation.
 * @typedef {object} JoinedTable
 * @property {string} table The table's id.
 * @property {number} seat The seat's number.
 * @property {string} token The secret of the seat, told only here.
 */

/**
 * A table in a list.
 * @typedef {object} ListedTable
 * @property {string} table Its id.
 * @property {string} game The name by which it was made.
 * @property {Record<string, string | number | boolean>} options The switches of its rules that were given.
 * @property {Sitter[]} seats Who sits where.
 * @property {"open" | "running" | "finished" | "abandoned"} status Whether it waits for players, runs, has ended, or was given up.
 * @property {number} created When it was made, in seconds since 1970.
 * @property {number | null} finished When it ended.
 * @property {number[] | null} returns Each seat's result.
 */

/**
 * A move of a replay.
 * @typedef {object} ReplayStep
 * @property {View} view The position before it, all hands open.
 * @property {Event} event The move.
 */

/**
 * A finished game, or a part of it.
 * @typedef {object} ReplayPage
 * @property {string} table The table's id.
 * @property {string} game The variant.
 * @property {Record<string, string | number | boolean>} options The switches of its rules.
 * @property {Seat[]} seats Who sits where.
 * @property {number} moves How many moves the whole game has.
 * @property {ReplayStep[]} steps The moves that were asked for.
 * @property {View} final The position after the last move of the game.
 */

/**
 * A decision of a seat and what it cost.
 * @typedef {object} Decision
 * @property {number} number The number of the move.
 * @property {View} view The position as the seat saw it.
 * @property {number} action The id of what was played.
 * @property {string} name Its name in transcripts.
 * @property {number} best The id of the best action.
 * @property {string} best_name Its name in transcripts.
 * @property {number} lost How much more the best action is worth.
 * @property {Value[]} values What the coach thinks of each legal action.
 */

/**
 * The decisions of a seat.
 * @typedef {object} ReviewPage
 * @property {string} table The table's id.
 * @property {number} seat Whose decisions they are.
 * @property {Decision[]} decisions Those that were asked for, in the order of play.
 * @property {number | null} next The move where the next page begins; null at the end.
 */

/**
 * A report that was stored.
 * @typedef {object} Reported
 * @property {number} report Its number.
 */

/**
 * Who shall sit at a seat.
 * @typedef {object} SeatWish
 * @property {"me" | "open" | "agent"} kind Oneself, whoever is invited, or an agent.
 * @property {string | null} [agent] The agent's spec; the default is the game's own agent.
 * @property {string | null} [level] Or its strength by name.
 */

/**
 * A table to be made.
 * @typedef {object} NewTable
 * @property {string} game The name of a game.
 * @property {Record<string, string | number | boolean>} [options] Switches of its rules that differ from the variant's.
 * @property {SeatWish[]} [seats] Who sits where; without it one sits at the game's home seat among its default agents.
 * @property {string} [name] What one is called.
 * @property {boolean} [coach] Whether the table has a coach.
 */

/**
 * Who comes to an open seat.
 * @typedef {object} Join
 * @property {string} invite The invitation.
 * @property {string} [name] What one is called.
 * @property {number | null} [seat] The seat's number; the default is the first open one.
 */

/**
 * Who gives their seat to an agent.
 * @typedef {object} Leave
 * @property {string} token The secret of the seat.
 */

/**
 * A remark about a move, by a player at any time or by anybody when the game is over.
 * @typedef {object} Report
 * @property {number} number The number of the move.
 * @property {string} text What is wrong with it.
 * @property {string | null} [token] The secret of the player's seat.
 */

/**
 * The token was right.
 * @typedef {object} WelcomeMessage
 * @property {"welcome"} type Which message this is.
 * @property {string} table The table's id.
 * @property {number} seat One's own seat.
 * @property {boolean} coach Whether the table has a coach.
 */

/**
 * A seat's view now; after hello, after every move, and after seats were taken or left.
 * @typedef {object} StateMessage
 * @property {"state"} type Which message this is.
 * @property {string} table The table's id.
 * @property {"open" | "running" | "finished" | "abandoned"} status Whether it waits for players, runs, has ended, or was given up.
 * @property {number} number How many moves have been played; each of them is stored.
 * @property {Seat[]} seats Who sits where.
 * @property {Event[]} events The moves since the last state.
 * @property {View | null} view The position; null before the game begins.
 */

/**
 * Somebody came or went.
 * @typedef {object} SeatsMessage
 * @property {"seats"} type Which message this is.
 * @property {Seat[]} seats Who sits where.
 */

/**
 * The coach's answer.
 * @typedef {object} CoachMessage
 * @property {"coach"} type Which message this is.
 * @property {number} number The number of the move that it is about.
 * @property {number} action The id of the action that the coach would choose.
 * @property {Value[]} values What it thinks of each legal action; empty where there is no choice.
 */

/**
 * What was sent is not possible; nothing has changed.
 * @typedef {object} RefusedMessage
 * @property {"refused"} type Which message this is.
 * @property {string} reason Why, in English.
 * @property {string} error The same as an id: `unknown`, `forbidden`, `full`, or `refused` for the rest.
 * @property {number} [number] How many moves have been played; missing where hello was refused.
 */

/**
 * The answer to a ping.
 * @typedef {object} PongMessage
 * @property {"pong"} type Which message this is.
 */

/**
 * The first message.
 * @typedef {object} HelloMessage
 * @property {"hello"} type Which message this is.
 * @property {string} token The secret of one's seat.
 * @property {number} [last] The `number` of the last state one has; the default is 0.
 */

/**
 * Plays; sent again after a lost connection it is not played twice.
 * @typedef {object} PlayMessage
 * @property {"play"} type Which message this is.
 * @property {number} number The `number` of the state that one saw.
 * @property {number | string} action The id or the name of a legal action.
 * @property {number} [seat] One's own seat, for clients that check themselves.
 */

/**
 * Asks the coach, on one's turn.
 * @typedef {object} AskCoachMessage
 * @property {"coach"} type Which message this is.
 * @property {string | null} [level] The level that rates; the default is the last but one.
 */

/**
 * Asks for everything since a state again.
 * @typedef {object} ResumeMessage
 * @property {"resume"} type Which message this is.
 * @property {number} [last] The `number` of that state; the default is 0.
 */

/**
 * Asks for a pong, to know that the connection is alive.
 * @typedef {object} PingMessage
 * @property {"ping"} type Which message this is.
 */

/**
 * The words of an option.
 * @typedef {object} OptionWords
 * @property {string} name What it is called.
 * @property {string} doc What it changes.
 */

/**
 * What all card games share.
 * @typedef {object} SharedWords
 * @property {string} seat A seat that has no name.
 * @property {string} between_seats What stands between several seats.
 * @property {Record<string, string>} suits The suits of all packs.
 * @property {Record<string, string>} ranks Ranks that have a name.
 * @property {Record<string, string>} letters What stands in a card's corner in place of its rank.
 * @property {Record<string, string>} names A card's full name by its suit; `any` for the rest, `none` without a suit.
 * @property {Record<string, string>} short The same in a sentence; a sign and the rank for the rest.
 * @property {Record<string, string>} choices Values of options.
 * @property {Record<string, string | Record<string, string>>} actions What can be done.
 * @property {Record<string, string | Record<string, string>>} facts What happened.
 * @property {Record<string, string>} piles Where cards lie.
 * @property {Record<string, string>} questions What is asked.
 */

/**
 * The words of a game.
 * @typedef {object} GameWords
 * @property {string} title Its name.
 * @property {string} about What it is, in one line.
 * @property {Record<string, string>} variants What each variant is.
 * @property {Record<string, OptionWords>} options Its options.
 * @property {string[]} [seats] The names of its seats.
 * @property {Record<string, string>} [choices] Values of options.
 * @property {Record<string, string | Record<string, string>>} [actions] What can be done.
 * @property {Record<string, string | Record<string, string>>} [facts] What happened, trump or contract, and what else is counted.
 * @property {Record<string, string>} [terms] Values of facts: suits, modes, levels.
 * @property {Record<string, string>} [piles] Where cards lie.
 * @property {Record<string, string>} [questions] What is asked.
 * @property {Record<string, string>} [cards] Cards without a face.
 */

/**
 * Everything that the page says, in one language.
 * @typedef {object} PageWords
 * @property {string} language Its code.
 * @property {Record<string, string>} languages All languages by code, with their own names.
 * @property {Record<string, string>} page The page itself.
 * @property {Record<string, string>} levels The strengths of play.
 * @property {Record<string, string>} errors What the server refuses, by id.
 * @property {SharedWords} shared What all games share.
 * @property {Record<string, GameWords>} games The games by family.
 */

/**
 * What the server sends.
 * @typedef {WelcomeMessage | StateMessage | SeatsMessage | CoachMessage | RefusedMessage | PongMessage} ServerMessage
 */

/**
 * What the client sends.
 * @typedef {HelloMessage | PlayMessage | AskCoachMessage | ResumeMessage | PingMessage} ClientMessage
 */

/**
 * The page's own words.
 * @typedef {"lobby" | "help" | "settings" | "close" | "cancel" | "ok" | "tagline" | "chooseGame" | "variant" | "strength" | "perSeat" | "options" | "yourName" | "guest" | "coachAllowed" | "start" | "me" | "openSeat" | "ownAgent" | "agentSpec" | "shuffling" | "shufflingLong" | "myTables" | "recent" | "replay" | "goOn" | "forget" | "join" | "joinTitle" | "free" | "waiting" | "share" | "shareText" | "copied" | "copy" | "leave" | "leaveAsk" | "stay" | "noSeat" | "gone" | "online" | "connecting" | "offline" | "lost" | "yourTurn" | "turnOf" | "thinking" | "dealer" | "defender" | "you" | "away" | "cards" | "card1" | "scores" | "we" | "they" | "trump" | "lastTrick" | "noLastTrick" | "takenBy" | "log" | "coach" | "coachThinks" | "coachOff" | "coachWait" | "value" | "interval" | "visits" | "move" | "chosen" | "best" | "coachBy" | "onlyMove" | "valueNote" | "review" | "reviewDeal" | "reviewNote" | "reviewRuns" | "reviewNone" | "reviewSum" | "reviewGood" | "position" | "openHands" | "dealOver" | "gameOver" | "next" | "again" | "result" | "youWin" | "youLose" | "draw" | "first" | "back" | "forward" | "last" | "prevTrick" | "nextTrick" | "play" | "stop" | "moveOf" | "atEnd" | "transcript" | "report" | "reportText" | "reported" | "playable" | "notPlayable" | "playedBy" | "saidBy" | "hidden" | "language" | "theme" | "auto" | "light" | "dark" | "motion" | "on" | "off" | "tap" | "once" | "twice" | "pause" | "none" | "short" | "long" | "suits" | "two" | "four" | "choose" | "withCard" | "playIt" | "keys" | "keyArrows" | "keyNumbers" | "keyEnter" | "keyC" | "keyL" | "keyHelp" | "keyEsc" | "error" | "helpText" | "left"} TextKey
 */
