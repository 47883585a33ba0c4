// The properties of a type, whatever it is made of: interfaces, intersections, unions of forms, mapped types.
import ts from 'typescript';
import { basesOf } from '../../../scripts/docs-api/docstrings.js';
import { plainLinks, type Source } from './source.js';

export interface Field {
  /** Several where they differ in the platform alone: `scheduled_facebook`, `scheduled_instagram` … */
  names: string[];
  type: string;
  /** `required`, `optional`, or with which others it cannot be combined. Empty for results, where it tells nothing. */
  presence: string;
  doc: string;
}

/** The properties of a type that a caller gives (`'given'`) or gets. */
export function fieldsOf(source: Source, type: ts.Type, at: ts.Node, use: 'given' | 'got'): Field[] {
  const forms = type.isUnion() ? type.types : [type];
  const inherited = forms.flatMap((form) => inheritedDocs(source, form));
  const names = [
    ...new Set(
      forms.flatMap((form) =>
        form
          .getProperties()
          .filter(isOurs)
          .map(({ name }) => name),
      ),
    ),
  ];
  const fields = names.map((name): Field => {
    const properties = forms.flatMap((form) => propertyOf(source, form, name, at));
    const types = [...new Set(properties.map((property) => typeText(source, property, at)))];
    const docs = [...new Set(properties.map((property) => source.doc(property)).filter(Boolean))];
    const base = inherited.find((one) => one.names.has(name))?.doc ?? '';
    return {
      names: [name],
      type: types.join(' | '),
      presence: presenceOf(source, forms, names, name, at, use),
      doc: plainLinks(docs.length === 1 ? (docs[0] ?? '') : docs.length === 0 ? base : ''),
    };
  });
  const rank = ({ presence }: Field) => (presence.startsWith('required') ? 0 : 1);
  return grouped(use === 'given' ? fields.sort((a, b) => rank(a) - rank(b)) : fields);
}

/** Properties of the language's own classes, of symbols and private ones are not for the reader. */
function isOurs(property: ts.Symbol): boolean {
  const [declaration] = property.declarations ?? [];
  if (property.name.startsWith('__') || property.name.startsWith('#')) return false;
  if (!declaration) return true;
  if (
    declaration.getSourceFile().hasNoDefaultLib ||
    /node_modules\/typescript/.test(declaration.getSourceFile().fileName)
  )
    return false;
  return !ts.getJSDocTags(declaration).some((tag) => tag.tagName.text === 'internal');
}

/** The property in one form of a union; none where the form forbids it (`text?: never`). */
function propertyOf(source: Source, form: ts.Type, name: string, at: ts.Node): ts.Symbol[] {
  const property = source.checker.getPropertyOfType(form, name);
  if (!property) return [];
  const type = source.checker.getNonNullableType(source.checker.getTypeOfSymbolAtLocation(property, at));
  return type.flags & ts.TypeFlags.Never ? [] : [property];
}

function presenceOf(
  source: Source,
  forms: readonly ts.Type[],
  names: readonly string[],
  name: string,
  at: ts.Node,
  use: 'given' | 'got',
): string {
  const inForm = (form: ts.Type, other: string) => propertyOf(source, form, other, at)[0];
  const present = forms.filter((form) => inForm(form, name));
  const isRequired = present.every((form) => !((inForm(form, name)?.flags ?? 0) & ts.SymbolFlags.Optional));
  if (use === 'got') return present.length === forms.length && isRequired ? '' : 'may be absent';
  if (present.length === forms.length) return isRequired ? 'required' : 'optional';
  const rivals = names.filter(
    (other) => other !== name && !forms.some((form) => inForm(form, name) && inForm(form, other)),
  );
  const listed = rivals.map((rival) => `\`${rival}\``).join(' or ');
  const isNeeded = forms.every((form) => [name, ...rivals].some((other) => inForm(form, other)));
  return isNeeded ? `required: this or ${listed}` : `optional, not with ${listed}`;
}

/** As it is declared, where that says all; `undefined` beside an optional property says nothing new. */
function typeText(source: Source, property: ts.Symbol, at: ts.Node): string {
  const { checker } = source;
  const [declaration] = property.declarations ?? [];
  const type = checker.getTypeOfSymbolAtLocation(property, at);
  const isParameter = (type.flags & ts.TypeFlags.TypeParameter) !== 0;
  const isDeclared =
    declaration !== undefined &&
    (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) &&
    declaration.type !== undefined &&
    !isParameter &&
    !isGeneric(declaration.parent);
  const text = isDeclared
    ? (declaration.type?.getText() ?? '')
    : printType(source, isParameter ? (checker.getBaseConstraintOfType(type) ?? type) : type, at);
  return tidy(text);
}

function isGeneric(node: ts.Node): boolean {
  for (let parent: ts.Node | undefined = node; parent; parent = parent.parent) {
    if ('typeParameters' in parent && parent.typeParameters) return true;
  }
  return false;
}

export function printType({ checker }: Source, type: ts.Type, at: ts.Node): string {
  const flags =
    ts.TypeFormatFlags.NoTruncation |
    ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType |
    ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
  return checker.typeToString(type, at, flags);
}

/** On one line, without what the compiler needs and a reader does not. */
export function tidy(type: string): string {
  return type
    .replaceAll(/\s+/g, ' ')
    .replace(/^\| /, '')
    .replace(/^readonly (?=.*\[\]$)/, '')
    .replace(/^Readonly<(.+)>$/, '$1')
    .replaceAll(/Promisable<((?:[^<>]|<[^<>]*>)*)>/g, '$1 | Promise<$1>')
    .replaceAll(/import\("[^"]+"\)\./g, '')
    .replace(/ \| undefined$/, '')
    .replace(/^undefined \| /, '')
    .replace(/^LiteralUnion<(.+), string>$/, '$1 | string');
}

/** The docs of types that a form is made from, for properties that a mapped type makes and that have none of their own. */
function inheritedDocs(source: Source, form: ts.Type): { names: ReadonlySet<string>; doc: string }[] {
  return basesOf(source.checker, form).map(({ names, symbol }) => ({ names, doc: symbol ? source.doc(symbol) : '' }));
}

/** Neighbours that differ in the platform alone are one field with several names. */
function grouped(fields: Field[]): Field[] {
  const groups: Field[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    const stem = (name = '') => name.slice(0, name.indexOf('_') + 1);
    const isSame =
      last !== undefined &&
      stem(last.names[0]) !== '' &&
      stem(last.names[0]) === stem(field.names[0]) &&
      last.type === field.type &&
      last.presence === field.presence &&
      last.doc === field.doc;
    if (isSame) last.names.push(...field.names);
    else groups.push({ ...field });
  }
  return groups;
}
