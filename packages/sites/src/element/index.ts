import { MultilocalArticles } from './element.js';

// A page may load the file twice, for example from two of its parts.
if (!customElements.get('multilocal-articles')) customElements.define('multilocal-articles', MultilocalArticles);
