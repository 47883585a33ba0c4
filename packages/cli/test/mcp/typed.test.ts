import { describe, expect, it } from 'vitest';
import { read } from '../../src/mcp/tools/read.js';
import { rehearse } from '../../src/mcp/tools/rehearse.js';
import { asTyped } from '../../src/mcp/tools/typed.js';

const action = { operation: 'posts.create', params: { content: '[1]', platforms: ['gmb'] } };

describe('the arguments of a tool, as clients of models send them', () => {
  it.each([
    ['as they are', { actions: [action] }],
    ['a list as text', { actions: JSON.stringify([action]) }],
    ['an object in a list as text', { actions: [JSON.stringify(action)] }],
    ['the parameters as text', { actions: [{ ...action, params: JSON.stringify(action.params) }] }],
    ['null for absent parameters', { actions: [action], _: undefined }],
    ['the whole as text', JSON.stringify({ actions: [action] })],
  ])('%s', (_, given) => {
    expect(asTyped(rehearse.input, given)).toMatchObject({ actions: [action] });
  });

  it('null stands for what is absent, but for what is required', () => {
    const given = { actions: [{ operation: 'posts.publish', params: null }] };
    expect(asTyped(rehearse.input, given)).toEqual({ actions: [{ operation: 'posts.publish' }] });
    expect(asTyped(rehearse.input, { actions: null })).toEqual({ actions: null });
  });

  it('texts, parameters, unknown fields and what is no JSON stay', () => {
    const given = { actions: '[{', actoins: '[1]', note: null };
    expect(asTyped(rehearse.input, given)).toEqual(given);
    expect(asTyped(read.input, { operation: '5', params: { keyword: '[1]', page: null } })).toEqual({
      operation: '5',
      params: { keyword: '[1]', page: null },
    });
  });
});
