// The public names of the package with their docstrings, as typedoc reads them. The reference of the site and the
// documents that are made from the endpoints ask here.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Application,
  type Comment,
  type CommentDisplayPart,
  DeclarationReflection,
  IntersectionType,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
  type SignatureReflection,
  type SomeType,
  TSConfigReader,
  TypeDocReader,
  UnionType,
} from 'typedoc';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the docstring of a method says: its first sentence and what follows, without the route and the tags. */
export interface MethodDoc {
  summary: string;
  description: string;
  /** What concerns only users of the library. */
  remarks: string;
}

/** The properties of an object type by name. A union of object types has several forms. */
export type Form = ReadonlyMap<string, DeclarationReflection>;

/** With `isChecked`, it throws if a public name is not documented or not exported, or if a link leads nowhere. */
export async function readDocstrings({ isChecked = false } = {}): Promise<Docstrings> {
  const options = { options: join(root, 'docs/site/typedoc.jsonc') };
  const app = await Application.bootstrapWithPlugins(options, [new TypeDocReader(), new TSConfigReader()]);
  const project = await app.convert();
  if (!project) throw new Error('typedoc cannot read the sources');
  if (isChecked) app.validate(project);
  if (isChecked && app.logger.hasWarnings()) throw new Error('typedoc warns of the docstrings above');
  const entries = project.getChildrenByKind(ReflectionKind.Module);
  const names = entries.flatMap(({ children = [] }) => children.filter((child) => !child.isReference()));
  return new Docstrings(new Map(names.map((name) => [name.name, name])));
}

export class Docstrings {
  constructor(
    /** Every public name. */
    readonly names: ReadonlyMap<string, DeclarationReflection>,
  ) {}

  /** @throws if the package exports no such name. */
  name(name: string): DeclarationReflection {
    const found = this.names.get(name);
    if (!found) throw new Error(`The package exports no ${name}`);
    return found;
  }

  /** @throws if the client has no such method. */
  method(operation: string): MethodDoc {
    let owner: DeclarationReflection | undefined = this.name('Client');
    for (const name of operation.split('.')) {
      const member: DeclarationReflection | undefined = owner?.children?.find((child) => child.name === name);
      owner = member && (classOf(member) ?? member);
    }
    const signature = owner?.signatures?.at(-1);
    if (!signature) throw new Error(`${operation} is no method of Client`);
    return sentences(signature);
  }

  /** The docs of each field of a public type, without the remarks. None for a type that is not there. */
  fields(typeName: string): Record<string, string> {
    const declaration = this.names.get(typeName);
    const docs = new Map<string, Set<string>>();
    for (const [name, field] of (declaration ? formsOf(declaration) : []).flatMap((form) => [...form])) {
      const doc = markdown(commentOf(field)?.summary).replace(/\s+/g, ' ');
      if (doc) docs.set(name, (docs.get(name) ?? new Set()).add(doc));
    }
    // Where the forms of a union disagree, none of them speaks for the field.
    return Object.fromEntries([...docs].flatMap(([name, all]) => (all.size === 1 ? [[name, [...all].join()]] : [])));
  }
}

/** The class or interface that a property has as its type. */
export function classOf({ type }: DeclarationReflection): DeclarationReflection | undefined {
  const target = type instanceof ReferenceType ? type.reflection : undefined;
  return target instanceof DeclarationReflection ? target : undefined;
}

/** The first sentence of a docstring on one line, what follows, the remarks, and the first paragraph. */
export function sentences({ comment }: Pick<SignatureReflection, 'comment'>): MethodDoc & { first: string } {
  const [paragraph = '', ...rest] = markdown(comment?.summary).split(/\n\n+/);
  const flat = paragraph.replace(/\s+/g, ' ');
  const [summary = flat] = /^.*?\.(?=\s|$)/.exec(flat) ?? [];
  return {
    summary,
    description: [withoutRoute(flat.slice(summary.length).trim()), ...rest].filter(Boolean).join('\n\n'),
    remarks: remarksOf(comment),
    first: flat,
  };
}

/** Fronts have the route and the permission as data. */
function withoutRoute(text: string): string {
  return text.replace(/(^|\. )`(GET|POST|PUT|DELETE) \/[^`]*`( with `[^`]*`)?(, permission `\w+`)?\./, '$1').trim();
}

/** `{@link Post}` reads as `` `Post` ``, and pages link what stands in backticks and has a section. */
export function markdown(parts: readonly CommentDisplayPart[] = []): string {
  return parts.map((part) => (part.kind === 'inline-tag' ? `\`${part.text}\`` : part.text)).join('');
}

/** The docstring of a name with its remarks. */
export function docOf(declaration: DeclarationReflection): string {
  const comment = commentOf(declaration);
  return [markdown(comment?.summary), remarksOf(comment)].filter(Boolean).join('\n\n');
}

/** Methods and accessors have their comment on their signatures. */
function commentOf({ comment, signatures, getSignature }: DeclarationReflection): Comment | undefined {
  return comment ?? signatures?.[0]?.comment ?? getSignature?.comment;
}

function remarksOf(comment: Comment | undefined): string {
  return markdown(comment?.getTag('@remarks')?.content).trim();
}

/** The forms of a type: several for a union, one for any other object type, none for the rest. */
export function formsOf(type: DeclarationReflection | SomeType | undefined): Form[] {
  if (type instanceof DeclarationReflection) return type.type ? formsOf(type.type) : [formOf(type)];
  if (type instanceof ReferenceType)
    return type.reflection instanceof DeclarationReflection ? formsOf(type.reflection) : [];
  if (type instanceof ReflectionType) return type.declaration.signatures ? [] : [formOf(type.declaration)];
  if (type instanceof UnionType) return type.types.flatMap(formsOf);
  if (!(type instanceof IntersectionType)) return [];
  return type.types
    .map(formsOf)
    .filter((forms) => forms.length > 0)
    .reduce<Form[]>((all, forms) => {
      const joined = all.flatMap((one) => forms.map((other) => new Map([...one, ...other])));
      return all.length > 0 ? joined : forms;
    }, []);
}

function formOf({ children = [] }: DeclarationReflection): Form {
  const properties = children.filter(
    ({ name, kind, flags }) =>
      kind !== ReflectionKind.Constructor && !flags.isStatic && !flags.isExternal && !name.startsWith('['),
  );
  return new Map(properties.map((property) => [property.name, property]));
}
