// Sections of the reference: a method with its route, a type with its properties, an error with its code.

import type { Endpoint } from '@multilocal/client/core/endpoint';
import { docOf, formsOf, markdown } from '@multilocal/scripts/docs-api/docstrings';
import * as multilocal from 'multilocal';
import {
  type DeclarationReflection,
  IntersectionType,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
  type SomeType,
  UnionType,
} from 'typedoc';
import { answerTo, shortened } from './answer.js';
import { asCode, type Field, fieldsOf, printSignature, printType, printTypeParameters } from './fields.js';
import { codeOf, type Method, methodOf, type Parameter } from './methods.js';
import { codeBlock, escapeHtml, facts, fieldList, type Links, prose, resultHtml, typeHtml } from './render.js';

/** A method of the client: text on the left, the call and a response of the mock on the right. */
export async function methodSection(method: Method, links: Links): Promise<string> {
  const { anchor, summary, description, example, endpoint, parameters, returns } = method;
  const { target = '', targetRequired } = endpoint ?? {};
  const fields = parameters
    .flatMap(fieldsOfParameter)
    .map((field) =>
      targetRequired && field.names.includes(target) ? { ...field, presence: 'required with a sphere key' } : field,
    );
  const text = [
    facts(method),
    prose(summary, links),
    prose(description, links),
    ...(fields.length > 0 ? ['<h3 class="label">Parameters</h3>', fieldList(fields, links)] : []),
    '<h3 class="label">Result</h3>',
    `<p>${resultHtml(returns, links)}</p>`,
    ...errors(method, links),
  ];
  const call = example ? [codeBlock('ts', example)] : [];
  const code = endpoint ? [await exchangeOf(endpoint, example)] : call;
  const panel = code.length > 0 ? `<div class="method-code">\n\n${code.join('\n\n')}\n\n</div>` : '';
  return `## ${heading(method)} {#${anchor}}\n\n<div class="method">\n<div class="method-text">\n\n${text.filter(Boolean).join('\n\n')}\n\n</div>\n${panel}\n</div>`;
}

/** The call beside the request that it sends, and the response. */
async function exchangeOf(endpoint: Endpoint, example: string): Promise<string> {
  const { curl, status, response } = await answerTo(endpoint, example);
  const { body: json, isCut } = shortened(response);
  return [
    `::: code-group\n\n\`\`\`ts [TypeScript]\n${example}\n\`\`\`\n\n\`\`\`sh [curl]\n${curl}\n\`\`\`\n\n:::`,
    `<p class="caption">Response ${status}, from the mock${isCut ? '; one member of each list' : ''}</p>`,
    codeBlock('json', json),
    `<p class="try"><a href="../playground.html#${endpoint.operation}">Run it in the playground</a></p>`,
  ].join('\n\n');
}

/** A type, a class or a function that is exported by name. */
export function typeSection(declaration: DeclarationReflection, level: '##' | '###', links: Links): string {
  const { name, comment } = declaration;
  const head = `${level} ${name} {#${name}}`;
  const method = methodOf(declaration);
  const example = method?.example ?? codeOf(markdown(comment?.getTag('@example')?.content));
  const doc = method ? [method.summary, method.description].filter(Boolean).join('\n\n') : docOf(declaration);
  const parts = method
    ? [
        head,
        codeBlock('ts', `function ${name}${printSignature(method.signature)};`),
        prose(doc, links),
        ...errors(method, links),
      ]
    : [head, family(declaration, links), prose(doc, links), body(declaration, links)];
  return [...parts, ...(example ? [codeBlock('ts', example)] : [])].filter(Boolean).join('\n\n');
}

/** What a class is called by `error.code`, and what it extends. */
function family(declaration: DeclarationReflection, links: Links): string {
  if (!isClass(declaration)) return '';
  const { name, extendedTypes = [] } = declaration;
  const { code } = (Reflect.get(multilocal, name) ?? {}) as { code?: string };
  const said = [
    ...(code ? [`<code>code</code> is <code>'${escapeHtml(code)}'</code>`] : []),
    ...extendedTypes
      .map(nameOf)
      .filter((base) => links.has(base))
      .map((base) => `extends ${typeHtml(base, links)}`),
  ];
  return said.length > 0
    ? `<p class="facts">${said.map((one) => `<span class="fact">${one}</span>`).join(' ')}</p>`
    : '';
}

function body(declaration: DeclarationReflection, links: Links): string {
  const { name, type, typeParameters } = declaration;
  const forms = formsOf(declaration);
  if (type) {
    const named = type instanceof UnionType ? type.types.map(nameOf) : [];
    if (named.length > 0 && named.every((one) => links.has(one)))
      return `<p>One of: ${named.map((one) => typeHtml(one, links)).join(', ')}.</p>`;
    const declared = codeBlock('ts', `type ${name}${printTypeParameters(typeParameters)} = ${asCode(type)};`);
    if (typeParameters || type instanceof ReferenceType || !isObject(type)) return declared;
    if (type instanceof UnionType && !name.endsWith('Params')) return declared;
    return fieldList(fieldsOf(forms, useOf(name)), links) || declared;
  }
  const own = fieldsOf(forms, useOf(name)).filter(
    // Classes show what they add: what they inherit stands at the class that has it.
    ({ names: [field = ''] }) => !isClass(declaration) || (field !== 'code' && !forms[0]?.get(field)?.inheritedFrom),
  );
  return fieldList(own, links);
}

/** Promises too: the entries export their classes as types. */
const isClass = ({ kind, extendedTypes = [] }: DeclarationReflection) =>
  kind === ReflectionKind.Class || extendedTypes.some((base) => nameOf(base).endsWith('Promise'));

const useOf = (name: string) =>
  /(Params|Options|Patch|Fault|Store|Target|Contact|Change)$|^Mock(New|Key)/.test(name) ? 'given' : 'got';

function nameOf(type: SomeType): string {
  if (type instanceof IntersectionType && type.types[0]) return nameOf(type.types[0]);
  return type instanceof ReferenceType ? (type.reflection?.name ?? type.name) : '';
}

/** Whether a type has properties to list. */
function isObject(type: SomeType): boolean {
  if (type instanceof UnionType) return type.types.every(isObject);
  return !(type instanceof ReflectionType && type.declaration.signatures) && formsOf(type).length > 0;
}

/** The properties of an object, or the parameter itself. Request options are the same for every method. */
function fieldsOfParameter(parameter: Parameter): Field[] {
  const { name, type, isOptional, doc } = parameter;
  if (name === 'params' || String(type) === 'Route') return fieldsOf(formsOf(type), 'given');
  if (isRequestOptions(parameter)) return [];
  return [{ names: [name], type: printType(type), presence: isOptional ? 'optional' : 'required', doc }];
}

/** A call that sends something can also fail as any other request can. */
function errors({ throws, routes, operation }: Method, links: Links): string[] {
  const sends = operation.includes('.') && !routes.includes('no request');
  const all = [
    ...throws.map((text) => prose(text, links)),
    ...(sends ? ['The [errors of every request](./errors.md).'] : []),
  ];
  return all.length > 0 ? ['<h3 class="label">Errors</h3>', all.map((text) => `- ${text}`).join('\n')] : [];
}

/** `posts.create(params, options?)`; in lists without the options that every method takes. */
export function heading({ operation, parameters }: Method, length: 'full' | 'short' = 'full'): string {
  const listed = parameters.filter((parameter) => length === 'full' || !isRequestOptions(parameter));
  const names = listed.map(({ name, isOptional }) => (isOptional ? `${name}?` : name));
  return `${operation}<span class="arguments">(${names.join(', ')})</span>`;
}

/** The last argument of every method. */
const isRequestOptions = ({ type }: Parameter) => String(type) === 'RequestOptions';
