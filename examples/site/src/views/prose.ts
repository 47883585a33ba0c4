import { element } from '../dom.js';
import { typeset } from '../site.js';

/** Gives the text of an article no-break spaces and a drop cap. */
export function typesetProse(content: DocumentFragment): DocumentFragment {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    text.data = typeset(text.data);
  }
  const opening = content.firstElementChild?.firstChild;
  if (content.firstElementChild?.matches('p') && opening instanceof Text) dropCap(opening);
  return content;
}

/**
 * Puts the first letter of a text into an element of its own, if the text begins with a letter. `::first-letter` would
 * also take the apostrophe behind the letter, and leave a gap there.
 */
function dropCap(text: Text): void {
  const letter = /^\p{L}\p{M}*/u.exec(text.data)?.[0];
  if (!letter) return;
  const rest = text.data.slice(letter.length);
  text.replaceWith(element('span', { class: /^[’']/.test(rest) ? 'cap elided' : 'cap' }, letter), rest);
}
