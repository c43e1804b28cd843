// What the player has chosen, and the seats he holds; both stay in this browser.

const DEFAULTS = {
  language: (navigator.language ?? 'en').startsWith('de') ? 'de' : 'en',
  theme: 'auto', // auto, light, dark
  motion: 'auto', // auto, on, off
  colours: 'two', // two, four
  tap: 'once', // once, twice
  pause: '1200', // milliseconds that a full trick stays
  name: '',
};

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

export const settings = { ...DEFAULTS, ...read('stich.settings') };

/** Changes a setting and applies it. */
export function set(name, value) {
  settings[name] = value;
  localStorage.setItem('stich.settings', JSON.stringify(settings));
  apply();
}

/** Writes what CSS needs to the root element. */
export function apply() {
  const root = document.documentElement;
  root.lang = settings.language;
  root.dataset.theme = settings.theme;
  root.dataset.colours = settings.colours;
  root.dataset.motion = moving() ? 'on' : 'off';
}

/** Whether things may move. */
export function moving() {
  if (settings.motion !== 'auto') return settings.motion === 'on';
  return !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const SEAT = 'stich.table.';

/** The seat held at a table: token, seat, invitation, game. */
export function seatAt(table) {
  const found = read(SEAT + table);
  return found.token ? found : null;
}

export function keepSeat(table, seat) {
  localStorage.setItem(SEAT + table, JSON.stringify(seat));
}

export function dropSeat(table) {
  localStorage.removeItem(SEAT + table);
}

/** All seats held, the newest first. */
export function seatsHeld() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(SEAT))
    .map((key) => ({ table: key.slice(SEAT.length), ...read(key) }))
    .sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}
