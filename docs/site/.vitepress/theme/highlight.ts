import { createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import javascript from 'shiki/langs/javascript.mjs';
import json from 'shiki/langs/json.mjs';
import dark from 'shiki/themes/github-dark-default.mjs';
import light from 'shiki/themes/github-light-high-contrast.mjs';

/** The highlighter and the themes of the other pages, so that code looks the same everywhere. */
const highlighter = createHighlighterCore({
  themes: [light, dark],
  langs: [javascript, json],
  engine: createJavaScriptRegexEngine(),
});

/** HTML of the code, which can be reached with the keyboard to scroll it unless `tabindex` is false. */
export async function highlight(code: string, lang: 'javascript' | 'json', tabindex: 0 | false = 0): Promise<string> {
  const themes = { light: 'github-light-high-contrast', dark: 'github-dark-default' };
  return (await highlighter).codeToHtml(code, { lang, themes, defaultColor: false, tabindex });
}
