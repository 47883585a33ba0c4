// Sections of the reference: a method with its route, a type with its properties, an error with its code.
import ts from 'typescript';
import * as multilocal from '../../../src/index.js';
import { callSample } from '../../../test/spec/sample.js';
import { type Field, fieldsOf, printType, tidy } from './fields.js';
import { type Method, methodOf, type Parameter } from './methods.js';
import { codeBlock, escapeHtml, facts, fieldList, type Links, prose, resultHtml, typeHtml } from './render.js';
import type { Name, Source } from './source.js';

export class Sections {
  constructor(
    readonly source: Source,
    readonly links: Links,
  ) {}

  /** A method of the client: text on the left, the call and a response of the mock on the right. */
  async method(method: Method): Promise<string> {
    const { operation, anchor, summary, description, example, endpoint } = method;
    const response = endpoint && (await exampleResponse(method));
    const { target = '', targetRequired } = endpoint ?? {};
    const parameters = method.parameters
      .flatMap((parameter) => this.#parameter(parameter, method.declaration))
      .map((field) =>
        targetRequired && field.names.includes(target) ? { ...field, presence: 'required with a sphere key' } : field,
      );
    const text = [
      facts(method),
      prose(summary, this.links),
      prose(description, this.links),
      ...(parameters.length > 0 ? ['<h3 class="label">Parameters</h3>', fieldList(parameters, this.links)] : []),
      '<h3 class="label">Result</h3>',
      `<p>${resultHtml(method.returns, this.links)}</p>`,
      ...this.#errors(method),
    ];
    const code = [
      ...(example ? [codeBlock('ts', example)] : []),
      ...(response
        ? [`<p class="caption">Response ${response.status}, from the mock</p>`, codeBlock('json', response.body)]
        : []),
      ...(endpoint
        ? [
            `<p class="try"><a href="../playground.html#${operation.replace('client.', '')}">Run it in the playground</a></p>`,
          ]
        : []),
    ];
    const panel = code.length > 0 ? `<div class="method-code">\n\n${code.join('\n\n')}\n\n</div>` : '';
    return `## ${heading(method)} {#${anchor}}\n\n<div class="method">\n<div class="method-text">\n\n${text.filter(Boolean).join('\n\n')}\n\n</div>\n${panel}\n</div>`;
  }

  /** A type, a class or a function that is exported by name. */
  type(name: Name, level: '##' | '###'): string {
    const { symbol, declaration } = name;
    const head = `${level} ${name.name} {#${name.name}}`;
    if (ts.isFunctionDeclaration(declaration)) return [head, ...this.#function(name)].join('\n\n');
    const example = ts.getJSDocTags(declaration).find((tag) => tag.tagName.text === 'example');
    const parts = [
      head,
      this.#family(name),
      prose(this.source.doc(symbol), this.links),
      this.#body(name),
      ...(example ? [codeBlock('ts', ts.getTextOfJSDocComment(example.comment) ?? '')] : []),
    ];
    return parts.filter(Boolean).join('\n\n');
  }

  /** What a class is called by `error.code`, and what it extends. */
  #family({ name, declaration }: Name): string {
    if (!ts.isClassDeclaration(declaration)) return '';
    const base = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    const baseName = base?.types[0]?.expression.getText();
    const { code } = (Reflect.get(multilocal, name) ?? {}) as { code?: string };
    const said = [
      ...(code ? [`<code>code</code> is <code>'${escapeHtml(code)}'</code>`] : []),
      ...(baseName && this.links.has(baseName) ? [`extends ${typeHtml(baseName, this.links)}`] : []),
    ];
    return said.length > 0
      ? `<p class="facts">${said.map((one) => `<span class="fact">${one}</span>`).join(' ')}</p>`
      : '';
  }

  #body({ symbol, declaration }: Name): string {
    const { checker } = this.source;
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const isAlias = ts.isTypeAliasDeclaration(declaration);
    const forms = type.isUnion() ? type.types : [];
    const named = forms.map((form) => this.source.nameOf(form)?.name);
    const isAlternative = named.length > 0 && named.every((name) => name !== undefined && this.links.has(name));
    if (isAlias && isAlternative) {
      return `<p>One of: ${named.map((name) => typeHtml(name ?? '', this.links)).join(', ')}.</p>`;
    }
    const isObject = (one: ts.Type) => (one.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
    const isPlain = forms.length > 0 ? forms.every(isObject) : isObject(type) && !checker.isTupleType(type);
    const isGenericAlias = isAlias && declaration.typeParameters !== undefined;
    const declared = codeBlock('ts', withoutComments(declaration.getText()));
    if (isAlias && (isGenericAlias || type.getCallSignatures().length > 0 || !isPlain)) return declared;
    if (forms.length > 0 && !symbol.name.endsWith('Params'))
      return this.#forms(symbol.name, forms, declaration) || declared;
    const use = /(Params|Options|Patch|Fault|Store|Target|Contact|Change)$|^Mock(New|Key)/.test(symbol.name)
      ? 'given'
      : 'got';
    const fields = fieldsOf(this.source, type, declaration, use);
    const own = ts.isClassDeclaration(declaration) ? fields.filter((field) => isOwn(field, symbol)) : fields;
    return fieldList(own, this.links) || (isAlias ? declared : '');
  }

  /** The forms of a union, each on a line. */
  #forms(name: string, forms: readonly ts.Type[], at: ts.Node): string {
    const lines = forms.map((form) => {
      const fields = fieldsOf(this.source, form, at, 'got');
      return fields.map(({ names: [field], type, presence }) => `${field}${presence ? '?' : ''}: ${type}`).join('; ');
    });
    return lines.includes('')
      ? ''
      : codeBlock('ts', `type ${name} =\n${lines.map((line) => `  | { ${line} }`).join('\n')};`);
  }

  #function({ symbol }: Name): string[] {
    const method = methodOf(this.source, symbol);
    if (!method) return [];
    const { declaration, summary, description, example } = method;
    return [
      codeBlock('ts', signatureText(declaration)),
      prose([summary, description].filter(Boolean).join('\n\n'), this.links),
      ...this.#errors(method),
      ...(example ? [codeBlock('ts', example)] : []),
    ];
  }

  /** The properties of an object, or the parameter itself. Request options are the same for every method. */
  #parameter(parameter: Parameter, at: ts.Node): Field[] {
    const { name, type, isOptional, doc } = parameter;
    const text = tidy(printType(this.source, type, at));
    if (name === 'params' || this.source.nameOf(type)?.name === 'Route')
      return fieldsOf(this.source, type, at, 'given');
    if (isRequestOptions(parameter)) return [];
    return [{ names: [name], type: text, presence: isOptional ? 'optional' : 'required', doc }];
  }

  #errors({ throws }: Method): string[] {
    if (throws.length === 0) return [];
    return ['<h3 class="label">Errors</h3>', throws.map((text) => `- ${prose(text, this.links)}`).join('\n')];
  }
}

/** `posts.create(params, options?)`; in lists without the options that every method takes. */
export function heading({ operation, parameters }: Method, length: 'full' | 'short' = 'full'): string {
  const listed = parameters.filter((parameter) => length === 'full' || !isRequestOptions(parameter));
  const names = listed.map(({ name, isOptional }) => (isOptional ? `${name}?` : name));
  return `${operation}<span class="arguments">(${names.join(', ')})</span>`;
}

/** The last argument of every method. */
const isRequestOptions = ({ type }: Parameter) => type.symbol?.name === 'RequestOptions';

/** The response of the mock to the sample call, cut to what shows its shape. */
async function exampleResponse({ endpoint }: Method): Promise<{ status: number; body: string } | undefined> {
  if (!endpoint) return undefined;
  const { status, response } = await callSample(endpoint);
  return { status, body: response === undefined ? '' : JSON.stringify(shortened(response), null, 2) };
}

/** Classes show what they add: what they inherit stands at the class that has it. */
function isOwn({ names }: Field, symbol: ts.Symbol): boolean {
  return names.some((name) => name !== 'code' && symbol.members?.has(ts.escapeLeadingUnderscores(name)));
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value === 'string') return value.length > 60 ? `${value.slice(0, 60)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}

function signatureText(declaration: ts.SignatureDeclaration): string {
  const body = (declaration as ts.FunctionDeclaration).body;
  const text = declaration
    .getSourceFile()
    .text.slice(declaration.getStart(), body ? body.getStart() : declaration.getEnd());
  return text.replace(/^export /, '').trim();
}

const withoutComments = (code: string) => code.replaceAll(/\/\*\*[\s\S]*?\*\/\s*/g, '').replace(/^export /, '');
