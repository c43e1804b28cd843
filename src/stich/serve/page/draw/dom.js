// Making elements: no templates, no inline styles or scripts, so that the strict content policy holds.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * What goes into an element; false, null and undefined are left out.
 * @typedef {Node | string | false | null | undefined | Child[]} Child
 */

/**
 * The value of an attribute: true stands without a value; false, null and undefined are left out.
 * @typedef {string | number | boolean | null | undefined} Plain
 */

/**
 * @template {EventTarget} E
 * @typedef {{ [K in keyof HTMLElementEventMap as `on${K}`]?:
 *   (event: HTMLElementEventMap[K] & { currentTarget: E }) => unknown }} Handlers
 */

/**
 * The attributes that the page uses; `vars` are CSS variables.
 * @typedef {{ [name: `data-${string}` | `aria-${string}`]: Plain }
 *   & { [K in 'alt' | 'autofocus' | 'checked' | 'class' | 'download' | 'height' | 'href' | 'id' | 'lang' | 'list'
 *   | 'max' | 'maxlength' | 'method' | 'min' | 'name' | 'open' | 'placeholder' | 'readonly' | 'role' | 'rows'
 *   | 'scope' | 'selected' | 'src' | 'tabindex' | 'title' | 'type' | 'value' | 'width']?: Plain }
 *   & { vars?: Record<string, string | number | undefined> }} Attributes
 */

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} node
 * @param {Record<string, unknown>} attributes
 * @param {Child[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (typeof value === 'object') {
      for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    } else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...nodes(children));
  return node;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child);
    return child === null || child === undefined || child === false ? [] : [child];
  });
}

/**
 * An element: `el('button', {class: 'x', onclick: f}, 'text')`.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes & Handlers<HTMLElementTagNameMap[K]>} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG, whose attributes are many.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Plain>} attributes
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * An element of index.html.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no #${id}`);
  return found;
}

/**
 * Whether a key press belongs to a field in which one writes.
 * @param {KeyboardEvent} event
 * @param {string} fields a selector
 */
export function isWriting(event, fields) {
  return event.target instanceof Element && event.target.matches(fields);
}

/**
 * What went wrong, as text.
 * @param {unknown} error
 */
export function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * A modal dialog that leaves the page when it is closed; resolves to its return value.
 * @param {string} title
 * @param {Child} content
 * @param {string[][]} buttons value and text of each; the first is the main one
 * @param {Attributes} [attributes]
 * @returns {Promise<string>}
 */
export function dialog(title, content, buttons, attributes = {}) {
  return new Promise((resolve) => {
    const box = el(
      'dialog',
      { 'aria-label': title, ...attributes },
      el(
        'form',
        { method: 'dialog' },
        el('h2', {}, title),
        content,
        el(
          'div',
          { class: 'buttons' },
          buttons.map(([value, text], i) =>
            el('button', { value, class: i === 0 ? 'main' : '', autofocus: i === 0 }, text),
          ),
        ),
      ),
    );
    openModal(box, () => resolve(box.returnValue));
  });
}

/**
 * Shows a dialog until it is closed or another view is shown.
 * @param {HTMLDialogElement} box
 * @param {() => void} closed
 */
export function openModal(box, closed) {
  const leave = () => box.close();
  addEventListener('hashchange', leave);
  box.addEventListener('close', () => {
    removeEventListener('hashchange', leave);
    box.remove();
    closed();
  });
  document.body.append(box);
  box.showModal();
}

/**
 * A short message at the edge, and in the live region for those who do not see it.
 * @param {string} text
 * @param {'' | 'bad'} [kind]
 */
export function toast(text, kind = '') {
  show(text, kind);
  tell(text);
}

/**
 * A short message at the edge alone.
 * @param {string} text
 * @param {'' | 'bad'} [kind]
 */
export function show(text, kind = '') {
  const note = el('div', { class: `toast ${kind}` }, text);
  const all = byId('toasts');
  all.append(note);
  if (all.children.length > 3) all.firstChild?.remove();
  setTimeout(() => note.remove(), kind === 'bad' ? 6000 : 3500);
}

/**
 * Tells screen readers.
 * @param {string} text
 */
export function tell(text) {
  const live = byId('live');
  live.append(el('p', {}, text));
  while (live.children.length > 20) live.firstChild?.remove();
}
