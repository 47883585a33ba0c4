// The methods of the client with the routes that they call.
import ts from 'typescript';
import type { Endpoint } from '../../../src/core/endpoint.js';
import { endpoints } from '../../../src/resources/index.js';
import { plainLinks, type Source, slugOf } from './source.js';

export interface Parameter {
  name: string;
  isOptional: boolean;
  type: ts.Type;
  doc: string;
}

export interface Method {
  /** `gmb.optimizer.audit`; a static method of a class is `Client.connect`. */
  operation: string;
  /** `optimizer-audit`: where it stands on its page. */
  anchor: string;
  declaration: ts.SignatureDeclaration;
  parameters: Parameter[];
  returns: string;
  /** Markdown: the first sentence, then the rest. */
  summary: string;
  description: string;
  throws: string[];
  example: string;
  /** `GET /posts`; those that it calls in turn, where it has no endpoint of its own. */
  routes: string[];
  endpoint: Endpoint | undefined;
}

/** The methods of a namespace, those that its class inherits first, then those of the namespaces within it. */
export function methodsOf(source: Source, type: ts.Type, prefix: string): Method[] {
  const inherited = new Set(type.getBaseTypes()?.flatMap((base) => base.getProperties().map(({ name }) => name)));
  const properties = type
    .getProperties()
    .filter((property) => isPublic(property))
    .sort((a, b) => Number(inherited.has(b.name)) - Number(inherited.has(a.name)));
  const own = properties.flatMap((property) => methodOf(source, property, prefix) ?? []);
  const nested = properties.flatMap((property) => {
    const inner = source.checker.getTypeOfSymbol(property);
    const isNamespace = source.nameOf(inner)?.declaration.getSourceFile().fileName.includes('/resources/');
    return isNamespace && inner.isClass() ? methodsOf(source, inner, `${prefix}.${property.name}`) : [];
  });
  return [...own, ...nested];
}

export function isPublic(property: ts.Symbol): boolean {
  const [declaration] = property.declarations ?? [];
  if (!declaration || /^(__|#)/.test(property.name)) return false;
  if (declaration.getSourceFile().fileName.includes('/node_modules/')) return false;
  return !ts.getJSDocTags(declaration).some((tag) => tag.tagName.text === 'internal');
}

/** A method or a function; none for any other property. */
export function methodOf(source: Source, property: ts.Symbol, prefix = ''): Method | undefined {
  const { checker } = source;
  const signatures = checker.getTypeOfSymbol(property).getCallSignatures();
  const docOf = (signature: ts.Signature) => ts.displayPartsToString(signature.getDocumentationComment(checker));
  const signature = signatures.find((one) => !docOf(one).startsWith('Preview')) ?? signatures[0];
  const declaration = signature?.getDeclaration();
  if (!signature || !declaration) return undefined;
  const operation = prefix === '' ? property.name : `${prefix}.${property.name}`;
  const endpoint = endpoints.find((one) => one.operation === operation.replace(/^client\./, ''));
  const doc = plainLinks(docOf(signature) || source.doc(property));
  const [first = '', ...rest] = doc.split(/\n\n+/);
  const [summary = first] = /^[\s\S]*?\.(?=\s|$)/.exec(first) ?? [];
  const tags = ts.getJSDocTags(declaration);
  const textsOf = (name: string) =>
    tags
      .filter((tag) => tag.tagName.text === name)
      .map((tag) => plainLinks(ts.getTextOfJSDocComment(tag.comment) ?? '').trim());
  return {
    operation,
    anchor: slugOf(operation.split('.').slice(1).join('-') || operation).toLowerCase(),
    declaration,
    parameters: signature.getParameters().flatMap((parameter) => parametersOf(source, parameter, declaration)),
    returns: declaration.type?.getText() ?? checker.typeToString(signature.getReturnType()),
    summary,
    description: [withoutRoute(first.slice(summary.length)), ...rest].filter(Boolean).join('\n\n'),
    throws: textsOf('throws').map((text) => text.replaceAll(/\s+/g, ' ').replace(/^(an? )(?=`)/, '')),
    example: textsOf('example').join('\n\n'),
    routes: routesIn(operation, endpoint, doc),
    endpoint,
  };
}

/** A parameter. The rest parameter of a method whose arguments are a tuple (`BulleArgs`) stands for several. */
function parametersOf(source: Source, symbol: ts.Symbol, at: ts.Node): Parameter[] {
  const { checker } = source;
  const tuple = checker.getTypeOfSymbolAtLocation(symbol, at) as ts.TupleTypeReference;
  if (!checker.isTupleType(tuple)) return [parameterOf(source, symbol, at)];
  return checker.getTypeArguments(tuple).map((given, index) => ({
    name: tuple.target.labeledElementDeclarations?.[index]?.name.getText() ?? '',
    isOptional: ((tuple.target.elementFlags[index] ?? 0) & ts.ElementFlags.Optional) !== 0,
    type: checker.getNonNullableType(given),
    doc: '',
  }));
}

function parameterOf({ checker }: Source, symbol: ts.Symbol, at: ts.Node): Parameter {
  const declaration = symbol.valueDeclaration;
  const isOptional =
    declaration !== undefined && ts.isParameter(declaration) && (checker.isOptionalParameter(declaration) ?? false);
  const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(symbol, at));
  const resolved = type.flags & ts.TypeFlags.TypeParameter ? (checker.getBaseConstraintOfType(type) ?? type) : type;
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return { name: symbol.name, isOptional, type: resolved, doc: plainLinks(doc) };
}

/** The page shows the route and the permission beside the method. */
function withoutRoute(text: string): string {
  return text.replace(/`(GET|POST|PUT|DELETE) \/[^`]*`(, permission\s+`\w+`)?\.\s*/, '').trim();
}

/** Its own route; else those that its documentation names, or those of the operations that it is said to go by. */
function routesIn(operation: string, endpoint: Endpoint | undefined, doc: string): string[] {
  if (endpoint) return [`${endpoint.method} ${endpoint.path}`];
  if (operation === 'client.request') return ['any route'];
  const [first = ''] = doc.split(/\n\n+/);
  const written = [...first.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`]*)`/g)].map(([, route = '']) => route);
  if (written.length > 0) return [...new Set(written)];
  if (operation.startsWith('client.')) return ['no request'];
  const named = [...doc.matchAll(/`([\w.]+)`/g)].flatMap(([, name]) =>
    endpoints.filter((one) => one.operation === name),
  );
  const viaSync = doc.includes('`articles.sync`') ? ['GET /articles'] : [];
  return [...new Set([...named.map(({ method, path }) => `${method} ${path}`), ...viaSync])];
}
