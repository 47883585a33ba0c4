// The properties of a type with what a reader needs to know of each.

import { PLATFORMS } from '@multilocal/client/core/types';
import { docOf, type Form } from '@multilocal/scripts/docs-api/docstrings';
import {
  type DeclarationReflection,
  ReferenceType,
  type SignatureReflection,
  type SomeType,
  TypeParameterReflection,
} from 'typedoc';

export interface Field {
  /** Several where they differ in the platform alone: `scheduled_facebook`, `scheduled_instagram` … */
  names: string[];
  type: string;
  /** `required`, `optional`, or with which others it cannot be combined. Empty for results, where it tells nothing. */
  presence: string;
  doc: string;
}

/** The properties that a caller gives (`'given'`) or gets. */
export function fieldsOf(forms: readonly Form[], use: 'given' | 'got'): Field[] {
  const names = [...new Set(forms.flatMap((form) => [...form.keys()]))];
  const fields = names.map((name): Field => {
    const properties = forms.flatMap((form) => allowed(form, name) ?? []);
    const docs = new Set(properties.map(docOf).filter(Boolean));
    return {
      names: [name],
      type: [...new Set(properties.map(typeOf))].join(' | '),
      presence: presenceOf(forms, names, name, use),
      doc: docs.size === 1 ? [...docs].join() : '',
    };
  });
  const rank = ({ presence }: Field) => (presence.startsWith('required') ? 0 : 1);
  return grouped(use === 'given' ? fields.sort((a, b) => rank(a) - rank(b)) : fields);
}

/** The property in one form of a union; none where the form forbids it (`text?: never`). */
function allowed(form: Form, name: string): DeclarationReflection | undefined {
  const property = form.get(name);
  const isForbidden = property?.flags.isOptional && /^(never|undefined)$/.test(String(property.type ?? ''));
  return isForbidden ? undefined : property;
}

function presenceOf(forms: readonly Form[], names: readonly string[], name: string, use: 'given' | 'got'): string {
  const present = forms.flatMap((form) => allowed(form, name) ?? []);
  const isEverywhere = present.length === forms.length;
  const isRequired = present.every(({ flags }) => !flags.isOptional);
  if (use === 'got') return isEverywhere && isRequired ? '' : 'may be absent';
  if (isEverywhere) return isRequired ? 'required' : 'optional';
  const rivals = names.filter(
    (other) => other !== name && !forms.some((form) => allowed(form, name) && allowed(form, other)),
  );
  const listed = rivals.map((rival) => `\`${rival}\``).join(' or ');
  const isNeeded = forms.every((form) => [name, ...rivals].some((other) => allowed(form, other)));
  return isNeeded ? `required: this or ${listed}` : `optional, not with ${listed}`;
}

function typeOf({ type, signatures, getSignature }: DeclarationReflection): string {
  const signature = signatures?.at(-1);
  return signature ? printSignature(signature, ' =>') : printType(boundOf(type ?? getSignature?.type));
}

/** What a type parameter is at least. */
export function boundOf(type: SomeType | undefined): SomeType | undefined {
  const variable = type instanceof ReferenceType ? type.reflection : undefined;
  return (variable instanceof TypeParameterReflection && variable.type) || type;
}

/** Without what the compiler needs and a reader does not. */
export function printType(type: SomeType | undefined): string {
  return asCode(type)
    .replace(/ & OfSphere$| \| undefined$/, '')
    .replace(/^readonly (?=.*\[\]$)/, '')
    .replace(/^Readonly<(.+)>$/, '$1')
    .replace(/^LiteralUnion<(.+), string>$/, '$1 | string');
}

/** A type as TypeScript. typedoc writes strings in double quotes, and all arguments of `Iterable<number>`. */
export function asCode(type: SomeType | undefined): string {
  return String(type)
    .replaceAll(/"([^"']*)"/g, "'$1'")
    .replaceAll(', any, any>', '>')
    .replaceAll('typeof __type', 'typeof fetch')
    .replaceAll(/Promisable<((?:[^<>]|<[^<>]*>)*)>/g, '$1 | Promise<$1>');
}

/** `(limit?: number): Post`, or with an arrow. */
export function printSignature({ parameters = [], type, typeParameters }: SignatureReflection, arrow = ':'): string {
  const listed = parameters.map(({ name, flags, defaultValue, type: given }) => {
    const isOptional = flags.isOptional || defaultValue !== undefined;
    return `${flags.isRest ? '...' : ''}${name}${isOptional ? '?' : ''}: ${asCode(given)}`;
  });
  return `${printTypeParameters(typeParameters)}(${listed.join(', ')})${arrow} ${asCode(type)}`;
}

export function printTypeParameters(all: SignatureReflection['typeParameters'] = []): string {
  const listed = all.map(
    ({ name, type, default: given }) =>
      `${name}${type ? ` extends ${asCode(type)}` : ''}${given ? ` = ${asCode(given)}` : ''}`,
  );
  return listed.length > 0 ? `<${listed.join(', ')}>` : '';
}

/** Fields that differ in the platform alone are one field with several names, in the order of the specification. */
function grouped(fields: Field[]): Field[] {
  const groups: Field[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    const [stem, lastStem] = [field, last].map(
      (one) => PLATFORMS.some((name) => one?.names[0]?.endsWith(`_${name}`)) && one?.names[0]?.split('_')[0],
    );
    const isSame = stem && stem === lastStem && last?.type === field.type && last.presence === field.presence;
    if (isSame && last.doc === field.doc) last.names.push(...field.names);
    else groups.push(field);
  }
  const place = (name: string) => PLATFORMS.findIndex((platform) => name.endsWith(`_${platform}`));
  for (const { names } of groups) names.sort((a, b) => place(a) - place(b));
  return groups;
}
