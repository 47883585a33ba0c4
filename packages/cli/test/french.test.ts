// cspell:disable the sentences in French
// The commands for plans in French: whole, and only for people.
import { expect, it, vi } from 'vitest';
import { HINT, HINTS } from '../src/errors-said.js';
import { Output } from '../src/output.js';
import { LYON, NANTES, stage } from './plan/stage.js';

/** Words that no sentence in French has. Codes, keys and names of flags are not sentences. */
const ENGLISH =
  /(?<!\p{L})(?:the|is|was|are|of|and|would|has|have|with|this|not|for|requests?|action [a-z]+s|done|left|nothing|platforms?|line|what|by|since|open|it|again)(?!\p{L})/iu;
const sentences = (text: string) => text.replaceAll(/`[^`]*`|--[\w-]+|\w+[._]\w+|::\w+ [^:]*::/g, '');

function expectFrench(text: string | undefined): void {
  for (const line of sentences(text ?? '').split('\n')) expect(line).not.toMatch(ENGLISH);
}

it('a rehearsal, a run, what became of it and the journal', async () => {
  const { api, go, actions, write } = stage(4, 1);
  const fr = '--locale=fr';
  api.connections.change(NANTES, 'facebook', { needs_reconnect: true });
  const past = { ...actions[1], key: 'hier', params: { ...actions[1]?.params, scheduled_at: '2029-11-30T09:00:00Z' } };
  write([...actions, past]);
  const refused = await go('rehearse', fr);
  for (const text of [refused.shown, refused.message, refused.hint, refused.comment]) expectFrench(text);
  expect(refused.message).toMatch(
    /^Le plan a 1 problème\.\nsemaine\.csv:2: .+, Facebook : le compte doit être reconnecté\.$/,
  );
  expect(refused.shown).toContain('Prévu : programmer un post sur facebook');

  write(actions.slice(1));
  const run = await go('rehearse', fr, '--run', '--yes');
  expectFrench(run.shown);
  expect(run.shown).toContain('Le plan est exécuté : 3 actions, il ne reste rien.');
  // A left-over, a correction and what happened before.
  write([{ ...actions[2], params: { ...actions[2]?.params, content: 'Autre texte' } }, actions[3] as object]);
  const left = await go('rehearse', fr);
  for (const text of [left.shown, left.message, left.hint, left.comment]) expectFrench(text);
  expect(left.shown).toMatch(/en trop.*Toujours programmé/s);
  expect(left.shown).toContain('content désormais : Autre texte');

  write(actions.slice(1));
  api.posts.failPlatform('facebook', { message: 'Jeton expiré' });
  api.advance(600_000_000);
  const status = await go('status', fr);
  for (const text of [status.shown, status.message, status.hint, status.comment]) expectFrench(text);
  expect(status.message).toContain('en échec sur Facebook');
  const journal = await go('journal', fr);
  expectFrench(journal.shown);
  expect(journal.shown).toMatch(/^résultat +date/);
  const failed = await go('rehearse', fr, '--keep-left-overs');
  for (const text of [failed.shown, failed.message, failed.hint]) expectFrench(text);
});

it('the doctor', async () => {
  const { api, go } = stage(1, 0);
  api.connections.change(NANTES, 'facebook', { needs_reconnect: true });
  api.connections.change(LYON, 'facebook', { expires_at: '2029-12-03T09:00:00Z' });
  const { shown, message } = await go('doctor', '--locale=fr', '--strict');
  expectFrench(`${shown}${message ?? ''}`);
  expect(shown).toContain('✔ ok');
  vi.stubEnv('MULTILOCAL_API_KEY', api.keys.expired);
  const refused = await go('doctor', '--locale=fr');
  expectFrench(refused.shown);
  expect(refused.shown).toMatch(/✖ problème +key/);
});

it('has a pair for each hint', () => {
  const pairs = [...Object.values(HINTS), ...Object.values(HINT)];
  for (const [en, fr] of pairs) {
    expect(fr).not.toBe(en);
    expectFrench(fr);
  }
});

const stream = (isTTY: boolean) => ({ write: () => true, on: () => {}, isTTY }) as never;
it.each<[boolean | undefined, boolean, string | undefined, NodeJS.ProcessEnv, 'en' | 'fr']>([
  [false, true, undefined, { LANG: 'fr_FR.UTF-8' }, 'fr'],
  [false, true, undefined, { LC_ALL: 'C', LANG: 'fr_FR.UTF-8' }, 'en'],
  [false, true, 'en', { LANG: 'fr_FR.UTF-8' }, 'en'],
  [false, true, undefined, { LANG: 'fro' }, 'en'],
  [false, false, undefined, { LANG: 'fr_FR.UTF-8' }, 'en'],
  [false, false, 'fr', {}, 'fr'],
  [true, true, 'fr', { LANG: 'fr' }, 'en'],
  [undefined, false, 'fr', {}, 'en'],
])('JSON %s, terminal %s, --locale %s, %o: %s', (isJson, isTTY, given, env, locale) => {
  const output = new Output(isJson, stream(isTTY), stream(false));
  output.speak(given, env);
  expect(output.locale).toBe(locale);
});
