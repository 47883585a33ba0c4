// What the texts of both templates go through. Each text is that of an article.
import { describe, expect, it } from 'vitest';
import { withoutEmptyFigures } from '../../templates/astro/src/journal.js';

describe('figures that have lost their picture', () => {
  it.each([
    ['<p>a</p><figure></figure><p>b</p>', '<p>a</p><p>b</p>'],
    ['<figure> <figcaption>Le four</figcaption> </figure><p>b</p>', '<p>b</p>'],
    ['<figure><figcaption>Le <em>four</em></figcaption></figure>', ''],
    ['<figure><img src="a.png"><figcaption>Le four</figcaption></figure>', undefined],
    ['<figure><figcaption>Prix</figcaption><table><tr><td>1</td></tr></table></figure>', undefined],
    // A caption may stand first: what follows up to the next caption is no caption.
    [
      '<figure><figcaption>Four</figcaption><img src="a.png"></figure><h2>La recette</h2><p>Texte</p><figure><img src="b.png"><figcaption>Pain</figcaption></figure><p>Fin.</p>',
      undefined,
    ],
  ])('%s', (html, expected = html) => {
    expect(withoutEmptyFigures(html)).toBe(expected);
  });

  it('leaves 20 000 figures as they are', () => {
    // A caption that could reach to the end of the text made this quadratic.
    const html = '<figure><figcaption>Four</figcaption><img src="a.png"></figure>'.repeat(20_000);
    expect(withoutEmptyFigures(html)).toBe(html);
  });
});
