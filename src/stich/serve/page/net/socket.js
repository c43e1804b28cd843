// The connection to a table: shows the token, hears what is new, and comes back by itself when it breaks.

/** @import { ClientMessage, ServerMessage } from './types.js' */

const FINAL = new Set([4403, 4404]);
const PING = 20000;

/** @typedef {'online' | 'connecting' | 'offline' | 'lost'} Connection */

export class TableSocket {
  last = 0;
  tries = 0;
  quiet = 0;
  ended = false;
  /** @type {WebSocket | null} */
  socket = null;
  /** @type {number | undefined} */
  timer;
  /** @type {number | undefined} */
  pinging;

  /**
   * @param {string} table
   * @param {string} token
   * @param {(message: ServerMessage) => void} heard gets every message
   * @param {(state: Connection, code?: number) => void} changed gets the state of the connection
   */
  constructor(table, token, heard, changed) {
    this.table = table;
    this.token = token;
    this.heard = heard;
    this.changed = changed;
    this.wake = () => {
      if (!this.open) this.connect();
    };
    addEventListener('online', this.wake);
    this.connect();
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.timer);
    if (this.ended || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.changed(this.tries ? 'offline' : 'connecting');
    const url = new URL(`api/tables/${this.table}/socket`, document.baseURI.split('#')[0]);
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => this.send({ type: 'hello', token: this.token, last: this.last });
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (socket === this.socket) this.closed(event.code);
    };
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if (message.type === 'pong') {
      this.quiet = 0;
      return;
    }
    if (message.type === 'welcome') {
      this.tries = 0;
      this.quiet = 0;
      clearInterval(this.pinging);
      this.pinging = setInterval(() => this.ping(), PING);
      this.changed('online');
    }
    if (message.type === 'state') this.last = message.number;
    this.heard(message);
  }

  /** A connection that stays silent is given up. */
  ping() {
    this.quiet += 1;
    if (this.quiet > 2) this.socket?.close();
    else this.send({ type: 'ping' });
  }

  /** @param {number} code */
  closed(code) {
    clearInterval(this.pinging);
    if (this.ended) return;
    if (FINAL.has(code)) {
      this.ended = true;
      this.changed('lost', code);
      return;
    }
    this.tries += 1;
    this.changed('offline');
    this.timer = setTimeout(() => this.connect(), Math.min(8000, 300 * 2 ** this.tries));
  }

  /**
   * Sends a message; false where there is no connection.
   * @param {ClientMessage} message
   */
  send(message) {
    if (!this.socket || !this.open) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    removeEventListener('online', this.wake);
    this.socket?.close();
  }
}
