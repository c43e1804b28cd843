// All words of the page in English and German, and the server's English sentences in the player's language.

import { settings } from '../settings.js';
import { PATTERNS, TERMS } from './german.js';

const TEXT = {
  en: {
    lobby: 'Lobby',
    help: 'Help',
    settings: 'Settings',
    close: 'Close',
    cancel: 'Cancel',
    ok: 'OK',
    tagline: 'Card games for an evening, against friends and machines.',
    chooseGame: 'Choose a game',
    variant: 'Variant',
    strength: 'Opponents',
    perSeat: 'Seats',
    options: 'Rules',
    yourName: 'Your name',
    guest: 'Guest',
    coachAllowed: 'Coach at hand',
    start: 'Deal the cards',
    me: 'Me',
    openSeat: 'Free seat for a friend',
    ownAgent: 'Another agent …',
    agentSpec: 'Agent, as in {example}',
    shuffling: 'The cards are being shuffled …',
    shufflingLong: 'A game takes a few seconds when it is played for the first time.',
    myTables: 'Your tables',
    recent: 'Games played here',
    replay: 'Replay',
    goOn: 'Go on',
    forget: 'Forget',
    seat: 'Seat',
    join: 'Sit down',
    joinTitle: 'You are invited',
    free: 'free',
    waiting: 'Waiting for players',
    share: 'Invite',
    shareText: 'Whoever opens this link can take a free seat:',
    copied: 'Link copied.',
    copy: 'Copy link',
    leave: 'Leave',
    leaveAsk: 'An agent takes your seat and the others go on. Leave the table?',
    stay: 'Stay',
    noSeat: 'You have no seat at this table.',
    gone: 'This table is not there any more.',
    online: 'connected',
    connecting: 'connecting …',
    offline: 'no connection, trying again …',
    lost: 'connection refused',
    yourTurn: 'Your turn',
    turnOf: '{name} to play',
    thinking: '{name} is thinking …',
    dealer: 'dealer',
    defender: 'defends',
    you: 'you',
    away: 'away',
    cards: '{n} cards',
    card1: '1 card',
    scores: 'Score',
    we: 'We',
    they: 'They',
    trump: 'Trump',
    lastTrick: 'Last trick',
    noLastTrick: 'No trick has been played yet.',
    takenBy: 'taken by {name}',
    log: 'What happened',
    coach: 'Coach',
    coachThinks: 'The coach is thinking …',
    coachOff: 'This table has no coach.',
    coachWait: 'The coach speaks when it is your turn.',
    value: 'value',
    interval: '95 % interval',
    visits: 'visits',
    move: 'move',
    chosen: 'played',
    best: 'best',
    coachBy: 'Coach’s strength',
    onlyMove: 'There is only one move.',
    valueNote: 'Values are in the points of the game; green is best.',
    review: 'Review',
    reviewDeal: 'Review this deal',
    reviewNote: 'Your decisions, those that lost most first.',
    reviewRuns: 'Looking at your moves …',
    reviewNone: 'You had no choice in this deal.',
    reviewSum: 'lost in all: {n}',
    reviewGood: 'Nothing lost: well played.',
    position: 'Position before move {n}',
    openHands: 'All hands open',
    dealOver: 'The deal is over',
    gameOver: 'The game is over',
    next: 'Next deal',
    again: 'Play again',
    result: 'Result',
    youWin: 'You win!',
    youLose: 'Not this time.',
    draw: 'Even.',
    first: 'First',
    back: 'Back',
    forward: 'Forward',
    last: 'Last',
    prevTrick: 'Trick before',
    nextTrick: 'Next trick',
    play: 'Play',
    stop: 'Stop',
    moveOf: 'Move {n} of {all}',
    atEnd: 'The end',
    transcript: 'Download',
    report: 'Report this move',
    reportText: 'What is wrong with this move?',
    reported: 'Thank you, the report is kept.',
    playable: 'playable',
    notPlayable: 'not playable',
    playedBy: '{name} plays {what}',
    saidBy: '{name}: {what}',
    hidden: '{name} decides in secret',
    language: 'Language',
    theme: 'Colours',
    auto: 'like the system',
    light: 'light',
    dark: 'dark',
    motion: 'Animations',
    on: 'on',
    off: 'off',
    tap: 'Playing a card',
    once: 'one tap',
    twice: 'two taps',
    pause: 'A full trick stays',
    none: 'not at all',
    short: 'a moment',
    long: 'longer',
    suits: 'Suits',
    two: 'two colours',
    four: 'four colours',
    choose: 'What do you do?',
    withCard: 'What with {card}?',
    keys: 'Keys',
    keyArrows: 'choose a card',
    keyNumbers: 'choose the first, second, … move',
    keyEnter: 'play it',
    keyC: 'coach',
    keyL: 'last trick',
    keyHelp: 'this help',
    keyEsc: 'close',
    error: 'That did not work: {what}',
    helpText:
      'Playable cards are lifted; click or tap one. What is no card (bids, trump, melds) stands as buttons above your hand. The coach colours your moves from green to red; after each deal the review shows what your moves cost.',
    marriage: 'marriage with {card}',
  },
  de: {
    lobby: 'Lobby',
    help: 'Hilfe',
    settings: 'Einstellungen',
    close: 'Schließen',
    cancel: 'Abbrechen',
    ok: 'OK',
    tagline: 'Kartenspiele für einen guten Abend, mit Freunden und Maschinen.',
    chooseGame: 'Spiel wählen',
    variant: 'Variante',
    strength: 'Mitspieler',
    perSeat: 'Plätze',
    options: 'Regeln',
    yourName: 'Dein Name',
    guest: 'Gast',
    coachAllowed: 'Mit Trainer',
    start: 'Karten geben',
    me: 'Ich',
    openSeat: 'Freier Platz für Freunde',
    ownAgent: 'Anderer Agent …',
    agentSpec: 'Agent, etwa {example}',
    shuffling: 'Die Karten werden gemischt …',
    shufflingLong: 'Beim ersten Mal braucht ein Spiel einige Sekunden.',
    myTables: 'Deine Tische',
    recent: 'Hier gespielte Partien',
    replay: 'Ansehen',
    goOn: 'Weiterspielen',
    forget: 'Vergessen',
    seat: 'Platz',
    join: 'Platz nehmen',
    joinTitle: 'Du bist eingeladen',
    free: 'frei',
    waiting: 'Warten auf Mitspieler',
    share: 'Einladen',
    shareText: 'Wer diesen Link öffnet, kann einen freien Platz nehmen:',
    copied: 'Link kopiert.',
    copy: 'Link kopieren',
    leave: 'Gehen',
    leaveAsk: 'Ein Agent übernimmt deinen Platz, die anderen spielen weiter. Tisch verlassen?',
    stay: 'Bleiben',
    noSeat: 'Du hast an diesem Tisch keinen Platz.',
    gone: 'Diesen Tisch gibt es nicht mehr.',
    online: 'verbunden',
    connecting: 'Verbindung wird aufgebaut …',
    offline: 'keine Verbindung, neuer Versuch …',
    lost: 'Verbindung abgelehnt',
    yourTurn: 'Du bist dran',
    turnOf: '{name} ist dran',
    thinking: '{name} überlegt …',
    dealer: 'Geber',
    defender: 'verteidigt',
    you: 'du',
    away: 'nicht da',
    cards: '{n} Karten',
    card1: '1 Karte',
    scores: 'Stand',
    we: 'Wir',
    they: 'Gegner',
    trump: 'Trumpf',
    lastTrick: 'Letzter Stich',
    noLastTrick: 'Es gab noch keinen Stich.',
    takenBy: 'geht an {name}',
    log: 'Verlauf',
    coach: 'Trainer',
    coachThinks: 'Der Trainer überlegt …',
    coachOff: 'Dieser Tisch hat keinen Trainer.',
    coachWait: 'Der Trainer spricht, wenn du dran bist.',
    value: 'Wert',
    interval: '95-%-Intervall',
    visits: 'Besuche',
    move: 'Zug',
    chosen: 'gespielt',
    best: 'am besten',
    coachBy: 'Stärke des Trainers',
    onlyMove: 'Es gibt nur einen Zug.',
    valueNote: 'Werte in Punkten des Spiels; Grün ist am besten.',
    review: 'Rückblick',
    reviewDeal: 'Rückblick auf dieses Blatt',
    reviewNote: 'Deine Entscheidungen, die teuersten zuerst.',
    reviewRuns: 'Deine Züge werden angesehen …',
    reviewNone: 'Du hattest keine Wahl.',
    reviewSum: 'zusammen verloren: {n}',
    reviewGood: 'Nichts verloren: gut gespielt.',
    position: 'Stellung vor Zug {n}',
    openHands: 'Alle Blätter offen',
    dealOver: 'Das Blatt ist gespielt',
    gameOver: 'Das Spiel ist aus',
    next: 'Nächstes Blatt',
    again: 'Noch einmal',
    result: 'Ergebnis',
    youWin: 'Gewonnen!',
    youLose: 'Diesmal nicht.',
    draw: 'Unentschieden.',
    first: 'Anfang',
    back: 'Zurück',
    forward: 'Weiter',
    last: 'Ende',
    prevTrick: 'Stich zurück',
    nextTrick: 'Stich weiter',
    play: 'Abspielen',
    stop: 'Anhalten',
    moveOf: 'Zug {n} von {all}',
    atEnd: 'Ende',
    transcript: 'Herunterladen',
    report: 'Diesen Zug melden',
    reportText: 'Was stimmt an diesem Zug nicht?',
    reported: 'Danke, die Meldung ist gespeichert.',
    playable: 'spielbar',
    notPlayable: 'nicht spielbar',
    playedBy: '{name} spielt {what}',
    saidBy: '{name}: {what}',
    hidden: '{name} entscheidet verdeckt',
    language: 'Sprache',
    theme: 'Farben',
    auto: 'wie das System',
    light: 'hell',
    dark: 'dunkel',
    motion: 'Bewegung',
    on: 'an',
    off: 'aus',
    tap: 'Karte spielen',
    once: 'ein Tippen',
    twice: 'zweimal tippen',
    pause: 'Ein voller Stich bleibt',
    none: 'gar nicht',
    short: 'kurz',
    long: 'länger',
    suits: 'Kartenfarben',
    two: 'zweifarbig',
    four: 'vierfarbig',
    choose: 'Was machst du?',
    withCard: 'Was mit {card}?',
    keys: 'Tasten',
    keyArrows: 'Karte wählen',
    keyNumbers: 'ersten, zweiten, … Zug wählen',
    keyEnter: 'spielen',
    keyC: 'Trainer',
    keyL: 'letzter Stich',
    keyHelp: 'diese Hilfe',
    keyEsc: 'schließen',
    error: 'Das ging nicht: {what}',
    helpText:
      'Spielbare Karten sind angehoben; klicke oder tippe sie an. Was keine Karte ist (Ansagen, Trumpf, Weis), steht als Knopf über deinem Blatt. Der Trainer färbt deine Züge von Grün bis Rot; nach jedem Blatt zeigt der Rückblick, was deine Züge gekostet haben.',
    marriage: 'Hochzeit mit {card}',
  },
};

/** A text of the page; `{name}` is replaced. */
export function t(key, values = {}) {
  const text = TEXT[settings.language][key] ?? TEXT.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
}

const NAMES = {
  en: {
    '♠': 'spades',
    '♥': 'hearts',
    '♣': 'clubs',
    '♦': 'diamonds',
    A: 'ace',
    K: 'king',
    Q: 'queen',
    J: 'jack',
    C: 'cavalier',
    W: 'wizard',
    N: 'jester',
    T: 'trump',
  },
  de: {
    '♠': 'Pik',
    '♥': 'Herz',
    '♣': 'Kreuz',
    '♦': 'Karo',
    A: 'Ass',
    K: 'König',
    Q: 'Dame',
    J: 'Bube',
    C: 'Reiter',
    W: 'Zauberer',
    N: 'Narr',
    T: 'Trumpf',
  },
};
const LETTERS = {
  de: { J: 'B', Q: 'D', C: 'R', T: '10', 'W!': 'Z', 'J!': 'N' },
  en: { T: '10', 'W!': 'W', 'J!': 'J' },
};

/** What stands in a card's corner. */
export function rankLetter(rank) {
  return LETTERS[settings.language][rank] ?? rank;
}

/** A card's full name: "ace of hearts", "Herz Ass". */
export function cardName(text, pack) {
  const names = NAMES[settings.language];
  const suited = /^([♠♥♦♣])(.+)$/u.exec(text);
  if (suited) {
    const rank = suited[2] === 'T' ? '10' : (names[suited[2]] ?? suited[2]);
    return settings.language === 'de' ? `${names[suited[1]]} ${rank}` : `${rank} of ${names[suited[1]]}`;
  }
  const special = /^([TJW])(\d+)$/.exec(text);
  if (special && pack === 'tarock') return `${names.T} ${special[2]}`;
  if (special && pack === 'wizard') return special[1] === 'W' ? names.W : names.N;
  return text;
}

/** A card as it stands in a sentence: its sign and the letter of the language. */
export function shortCards(text, pack) {
  const signs = text.replace(
    /([♠♥♦♣])(10|1[1-3]|[1-9]|[TJQKAC])(?!\w)/gu,
    (all, sign, rank) => sign + rankLetter(rank),
  );
  if (pack === 'tarock')
    return signs.replace(/\bT(\d+)\b/g, (all, rank) => `${NAMES[settings.language].T} ${rank}`);
  return pack === 'wizard'
    ? signs.replace(/\b([JW])[1-4]\b/g, (all, kind) => NAMES[settings.language][kind === 'W' ? 'W' : 'N'])
    : signs;
}

/** A term or sentence of the server in the player's language. */
export function said(text) {
  if (settings.language !== 'de' || !text) return text ?? '';
  if (TERMS[text] !== undefined) return TERMS[text];
  for (const [pattern, german] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return typeof german === 'function' ? german(found, said) : text.replace(pattern, german);
  }
  return text;
}

const QUESTIONS = {
  en: {
    trump: 'Choose trumps',
    melds: 'Announce your melds?',
    cards: 'Your turn',
    bids: 'How many tricks will you take?',
    bidding: 'What do you say?',
    hand: 'Build your hand',
    lead: 'You lead',
    follow: 'You follow',
    attack: 'You attack',
    defence: 'You defend',
  },
  de: {
    trump: 'Was ist Trumpf?',
    melds: 'Weisen?',
    cards: 'Du bist dran',
    bids: 'Wie viele Stiche sagst du an?',
    bidding: 'Was sagst du?',
    hand: 'Blatt zusammenstellen',
    lead: 'Du spielst aus',
    follow: 'Du gibst zu',
    attack: 'Du greifst an',
    defence: 'Du verteidigst',
  },
};

/** What is asked of the player: the game's own question, else that of its phase. */
export function question(view) {
  return view.ask ? said(view.ask) : (QUESTIONS[settings.language][view.phase] ?? t('choose'));
}

/** An action as it stands on a button. */
export function actionLabel(action, faces, pack) {
  const married = /^M:(.+)$/.exec(action.name);
  if (married && faces[married[1]]) return t('marriage', { card: shortCards(faces[married[1]].text, pack) });
  if (faces[action.name] && action.label === action.name) return shortCards(faces[action.name].text, pack);
  const inner = /^[A-Z] \((.+)\)$/.exec(action.label);
  return shortCards(said(inner ? inner[1] : action.label), pack);
}

/** The answer to "what is a seat's name" put into the server's sentences, which count seats. */
export function withNames(text, names, seatNames) {
  let found = text.trim().replace(/\b[Ss]eat (\d)\b/g, (all, seat) => names[seat] ?? all);
  if (names.own) found = found.replace(/^You take\b/, `${names.own} takes`).replace(/^You\b/, names.own);
  seatNames.forEach((name, seat) => {
    if (!/^Seat \d$/.test(name)) found = found.replace(new RegExp(`\\b${name}\\b`, 'g'), names[seat] ?? name);
  });
  return found;
}

/** A number with as many digits as it needs. */
export function number(value, digits = 1) {
  return value.toLocaleString(settings.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
