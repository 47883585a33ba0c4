import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { outcomeOf } from '@multilocal/plans/inside';
import { documentText, readOperations } from '../document.js';
import { maskContacts } from '../mask.js';
import type { Session } from './session.js';
import { visible } from './visible.js';

/** Something that a program may read and give to its model. Its address is `multilocal://<kind>/<name>`. */
export interface ResourceKind {
  readonly kind: string;
  readonly description: string;
  readonly mimeType: string;
  /** Whether the names are listed. */
  readonly isListed: boolean;
  names(session: Session): readonly string[] | Promise<readonly string[]>;
  /** The text of one of {@link names}. */
  read(name: string, session: Session): string | Promise<string>;
}

const require = createRequire(import.meta.url);

/** The folder of the guides in the package. */
function guides(): string {
  return join(dirname(require.resolve('multilocal/package.json')), 'docs', 'guides');
}

export const resources: readonly ResourceKind[] = [
  {
    kind: 'guides',
    description: 'A guide of the library',
    mimeType: 'text/markdown',
    isListed: true,
    names: () => readdirSync(guides()).flatMap((file) => (file.endsWith('.md') ? basename(file, '.md') : [])),
    read: (name) => readFileSync(join(guides(), `${name}.md`), 'utf8'),
  },
  {
    kind: 'operations',
    description: 'The parameters of an operation as JSON Schema',
    mimeType: 'application/json',
    isListed: false,
    names: () => [...readOperations().keys()],
    read: (name) => JSON.stringify(readOperations().get(name)),
  },
  {
    kind: 'plans',
    description: 'A plan that was rehearsed here, and what happened to it',
    mimeType: 'application/json',
    isListed: true,
    names: ({ plans }) => plans.list(),
    async read(name, { plans, output }) {
      const plan = await plans.open(name);
      const steps = (await plans.entries(plan)).map((entry) => {
        const { operation, target, made, at } = entry;
        return { operation, target, outcome: outcomeOf(entry), ids: made?.ids, at };
      });
      const shown = { plan: plan.id, actions: plan.file.plan.actions, steps };
      return JSON.stringify(visible(output.clean(maskContacts(shown, undefined))));
    },
  },
  {
    kind: 'schemas',
    description: 'The JSON Schema of plans, and the OpenAPI document',
    mimeType: 'application/json',
    isListed: true,
    names: () => ['plan.schema.json', 'openapi.json'],
    read: (name) =>
      name === 'openapi.json' ? documentText() : readFileSync(require.resolve('multilocal/plan.schema.json'), 'utf8'),
  },
];
