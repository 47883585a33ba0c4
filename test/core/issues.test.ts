import { expect, it } from 'vitest';
import { printIssues } from '../../src/core/issues.js';

it('issues are printed with their paths, at most 20 of them', () => {
  const issues = Array.from({ length: 21 }, (_, index) => ({ path: ['articles', index, 'id'], message: 'must be x' }));
  const printed = printIssues(issues, 'It').split('. ');
  expect(printed).toHaveLength(20);
  expect(printed[19]).toBe('`articles[19].id` must be x.');
});

it('an issue of the whole value has its name as subject', () => {
  expect(printIssues([{ path: [], message: 'must be an object' }], 'The response')).toBe(
    'The response must be an object.',
  );
});
