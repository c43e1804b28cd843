// Making elements: no templates, no inline styles or scripts, so that the strict content policy holds.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'vars') for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element: `el('button', {class: 'x', onclick: f}, 'text')`; `vars` are CSS variables. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A modal dialog that leaves the page when it is closed; resolves to its return value. */
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
    const leave = () => box.close();
    addEventListener('hashchange', leave);
    box.addEventListener('close', () => {
      removeEventListener('hashchange', leave);
      box.remove();
      resolve(box.returnValue);
    });
    document.body.append(box);
    box.showModal();
  });
}

/** A short message at the edge, and in the live region for those who do not see it. */
export function toast(text, kind = '') {
  show(text, kind);
  tell(text);
}

/** A short message at the edge alone. */
export function show(text, kind = '') {
  const note = el('div', { class: `toast ${kind}` }, text);
  const all = document.getElementById('toasts');
  all.append(note);
  if (all.children.length > 3) all.firstChild.remove();
  setTimeout(() => note.remove(), kind === 'bad' ? 6000 : 3500);
}

/** Tells screen readers. */
export function tell(text) {
  const live = document.getElementById('live');
  live.append(el('p', {}, text));
  while (live.children.length > 20) live.firstChild.remove();
}
