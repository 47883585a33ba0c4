import { expect, it } from 'vitest';
import { printIssues } from '../../src/core/issues.js';

it('issues are printed with their paths, at most 20 of them', () => {
  const issues = Array.from({ length: 21 }, (_, index) => ({ path: ['articles', index, 'id'], message: 'expected x' }));
  const printed = printIssues(issues).split('; ');
  expect(printed).toHaveLength(20);
  expect(printed[19]).toBe('articles[19].id: expected x');
});

it('an issue of the whole value has no path', () => {
  expect(printIssues([{ path: [], message: 'expected an object' }])).toBe('expected an object');
});
