// The methods of the client with the routes that they call.

import type { Endpoint } from '@multilocal/client/core/endpoint';
import { endpoints } from '@multilocal/client/resources/endpoints';
import { classOf, markdown, sentences } from '@multilocal/scripts/docs-api/docstrings';
import {
  type DeclarationReflection,
  type ParameterReflection,
  ReflectionKind,
  type SignatureReflection,
  type SomeType,
  TupleType,
} from 'typedoc';
import { boundOf } from './fields.js';

export interface Parameter {
  name: string;
  isOptional: boolean;
  type: SomeType | undefined;
  doc: string;
}

export interface Method {
  /** `gmb.optimizer.audit`; a static method of a class is `Client.connect`. */
  operation: string;
  /** `optimizer-audit`: where it stands on its page. */
  anchor: string;
  signature: SignatureReflection;
  parameters: Parameter[];
  returns: SomeType | undefined;
  /** Markdown: the first sentence, then the rest. */
  summary: string;
  description: string;
  throws: string[];
  example: string;
  /** `GET /posts`; those that it calls in turn, where it has no endpoint of its own. */
  routes: string[];
  endpoint: Endpoint | undefined;
}

/** `qrCodes` is described on `qr-codes.html`. */
export const slugOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The methods of a namespace, those that its class inherits first, then those of the namespaces within it. */
export function methodsOf({ children = [] }: DeclarationReflection, prefix: string): Method[] {
  const all = children.filter(({ flags }) => !flags.isStatic);
  const rank = ({ flags }: DeclarationReflection) => (flags.isInherited ? 0 : 1);
  const own = all.sort((a, b) => rank(a) - rank(b)).flatMap((member) => methodOf(member, prefix) ?? []);
  const nested = all.flatMap((member) => {
    const inner = prefix === 'client' ? undefined : classOf(member);
    return inner ? methodsOf(inner, `${prefix}.${member.name}`) : [];
  });
  return [...own, ...nested];
}

/** A method or a function; none for any other name. The last overload is the one that most calls use. */
export function methodOf(
  { name, kind, signatures }: DeclarationReflection,
  prefix = '',
  signature = signatures?.at(-1),
): Method | undefined {
  if (!signature || kind === ReflectionKind.Constructor) return undefined;
  const operation = prefix === '' ? name : `${prefix}.${name}`;
  const endpoint = endpoints.find((one) => one.operation === operation.replace(/^client\./, ''));
  const { summary, description, remarks, first } = sentences(signature);
  const textsOf = (tag: `@${string}`) => signature.comment?.getTags(tag).map(({ content }) => markdown(content)) ?? [];
  return {
    operation,
    anchor: slugOf(operation.split('.').slice(1).join('-') || operation).toLowerCase(),
    signature,
    parameters: (signature.parameters ?? []).flatMap(parametersOf),
    returns: signature.type,
    summary,
    description: [description, remarks].filter(Boolean).join('\n\n'),
    throws: textsOf('@throws').map((text) => text.replaceAll(/\s+/g, ' ').replace(/^(an? )(?=`)/, '')),
    example: textsOf('@example').map(codeOf).join('\n\n'),
    routes: routesIn(operation, endpoint, first, description),
    endpoint,
  };
}

/** typedoc puts an example into a fence if it is not in one. */
export const codeOf = (example: string) => example.replace(/^```\w*\n|\n?```$/g, '');

/** A parameter. The rest parameter of a method whose arguments are a tuple (`BulleArgs`) stands for several. */
function parametersOf({ name, flags, type, comment }: ParameterReflection): Parameter[] {
  if (!(type instanceof TupleType)) {
    return [{ name, isOptional: flags.isOptional, type: boundOf(type), doc: markdown(comment?.summary) }];
  }
  return type.elements.flatMap((one) =>
    one.type === 'namedTupleMember' ? [{ name: one.name, isOptional: one.isOptional, type: one.element, doc: '' }] : [],
  );
}

/** Its own route; else those that its docstring names, or those of the operations that it is said to go by. */
function routesIn(operation: string, endpoint: Endpoint | undefined, first: string, rest: string): string[] {
  if (endpoint) return [`${endpoint.method} ${endpoint.path}`];
  if (operation === 'client.request') return ['any route'];
  const written = [...first.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`]*)`/g)].map(([, route = '']) => route);
  if (written.length > 0) return [...new Set(written)];
  if (operation.startsWith('client.')) return ['no request'];
  const doc = `${first} ${rest}`;
  const named = [...doc.matchAll(/`([\w.]+)`/g)].flatMap(([, name]) =>
    endpoints.filter((one) => one.operation === name),
  );
  const viaSync = doc.includes('`articles.sync`') ? ['GET /articles'] : [];
  return [...new Set([...named.map(({ method, path }) => `${method} ${path}`), ...viaSync])];
}
