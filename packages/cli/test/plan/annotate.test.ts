import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folder } from '@multilocal/plans/test/helpers';
import { describe, expect, it } from 'vitest';
import { githubAnnotations, jobSummary } from '../../src/plan/github.js';
import { gitlabReport } from '../../src/plan/gitlab.js';
import { writtenAt } from '../../src/plan/place.js';
import type { PlacedAction } from '../../src/plan/placed-action.js';
import type { PlacedProblem } from '../../src/plan/problem.js';

const problem: PlacedProblem = {
  ...{ line: 3, column: 5, action: 0 },
  ...{ code: 'not_connected', message: '100 % of\r\na: b, c', path: ['actions', 0] },
};
const warning: PlacedProblem = { ...problem, code: 'twin', message: 'a `hint` for @nobody' };
const rehearsed: PlacedAction = {
  action: 0,
  key: 'a',
  line: 3,
  column: 5,
  operation: 'posts.create',
  target: undefined,
  state: 'refused',
  summary: 'Would | *schedule* <b>a post</b>.',
  details: [],
  quota: [{ name: 'SMS', uses: 2, left: 5 }],
  problems: [problem],
  warnings: [warning],
};

describe('annotations on GitHub', () => {
  it('are escaped, and name the file below the workspace', () => {
    const findings = { problems: [problem], warnings: [warning] };
    expect(githubAnnotations('/checkout/a,b/plan:1.json', findings, '/checkout')).toEqual([
      '::error file=a%2Cb/plan%3A1.json,line=3,col=5,title=not_connected::100 %25 of%0D%0Aa: b, c',
      '::warning file=a%2Cb/plan%3A1.json,line=3,col=5,title=twin::a `hint` for @nobody',
    ]);
  });

  it('say each thing once, and how many are left out, because GitHub shows ten', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ ...warning, line: index, message: `w${index % 12}` }));
    const lines = githubAnnotations('plan.json', { problems: [], warnings: many }, '/work');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toContain('line=0,');
    expect(lines[9]).toMatch(/::w9 \(2 ×: plan\.json:9:5, plan\.json:21:5\) … and 2 more\. The summary/);
  });

  it('keep the path of a file outside', () => {
    const [line] = githubAnnotations('/other/plan.json', { problems: [problem], warnings: [] }, '/work');
    expect(line).toContain('file=/other/plan.json,');
  });

  it.each([writtenAt('', 81), writtenAt('', 81, 'row 80'), ':81 Lyon'])('are at the line of a table: %s', (place) => {
    const table = join(folder(), 'a:3 noel (row 2).csv');
    writeFileSync(table, '');
    const problems = [{ ...problem, source: table + place }];
    const [line] = githubAnnotations('plan.json', { problems, warnings: [] }, dirname(table));
    expect(line).toContain('file=a%3A3 noel (row 2).csv,line=81,title=');
  });
});

describe('the job summary', () => {
  it('is a table that renders nothing of a text', () => {
    const file = { line: 1, column: 1, code: 'plan_unreadable', message: 'The file is empty.', path: [] };
    expect(jobSummary('plan.json', { problems: [problem, file], warnings: [warning] }, { actions: [rehearsed] })).toBe(
      `### plan.json: 2 problems, 1 warning

| line | operation | state | what would happen | uses | remarks |
| --: | --- | --- | --- | --- | --- |
| 3 | posts.create | **refused** | Would &#124; &#42;schedule&#42; &lt;b&gt;a post&lt;/b&gt;. | 2 SMS of 5 | 100 % of<br>a: b, c<br>a &#96;hint&#96; for &#64;nobody |
| 1 |  | **refused** |  |  | The file is empty. (plan&#95;unreadable) |
`,
    );
  });
});

describe('the report for GitLab', () => {
  it('is a list of findings, each with a fingerprint of its own', () => {
    const findings = { problems: [problem, problem], warnings: [warning] };
    const report = JSON.parse(gitlabReport('/checkout/plans/plan.json', findings, '/checkout'));
    expect(report).toEqual([
      {
        description: problem.message,
        check_name: 'multilocal/not_connected',
        fingerprint: expect.stringMatching(/^[\da-f]{64}$/),
        severity: 'major',
        location: { path: 'plans/plan.json', lines: { begin: 3 } },
      },
      expect.anything(),
      expect.objectContaining({ check_name: 'multilocal/twin', severity: 'minor' }),
    ]);
    expect(report[0].fingerprint).not.toBe(report[1].fingerprint);
  });

  it('is an empty list without problems', () => {
    expect(JSON.parse(gitlabReport('plan.json', { problems: [], warnings: [] }, '.'))).toEqual([]);
  });
});
