import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  root,
);
const host = ts.createCompilerHost(options);
/** Files that are not looked at, parsed once for all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** A schema and the type that it is annotated with: their names, and both as text. */
export interface Verdict {
  schema: string;
  type: string;
  ofSchema: string;
  ofType: string;
}

/**
 * Holds each `const xSchema: z.ZodMiniType<X, X> = …` or `s.ObjectSchema<X>` of some files to its type: what the expression infers on the one
 * side, the interface on the other. Annotations hide the first, and let optional fields differ, so they are taken away.
 * @param files Path below the root of the repository, and text.
 */
export function compareSchemas(files: ReadonlyMap<string, string>): Verdict[] {
  const sources = new Map([...files].map(([path, text]) => [join(root, path), withoutAnnotations(text)]));
  const program = ts.createProgram([...sources.keys()], options, {
    ...host,
    fileExists: (path) => sources.has(path) || host.fileExists(path),
    getSourceFile(path, target) {
      const source = sources.get(path);
      if (source) return ts.createSourceFile(path, source.text, target);
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, target));
      return parsed.get(path);
    },
  });
  const printer = new Printer(program);
  return [...sources].flatMap(([path, { pairs }]) => {
    const aliases = new Map(
      program
        .getSourceFile(path)
        ?.statements.filter(ts.isTypeAliasDeclaration)
        .map(({ name, type }) => [name.text, type]),
    );
    return pairs.map(({ schema, type }) => {
      const { elements } = aliases.get(aliasOf(schema)) as ts.TupleTypeNode;
      return { schema, type, ...printer.compare(elements) };
    });
  });
}

function aliasOf(schema: string): string {
  return `Compared_${schema}`;
}

/** The source with the annotations of its schemas taken away, and a type at its end for each pair to compare. */
function withoutAnnotations(text: string): { text: string; pairs: { schema: string; type: string }[] } {
  const pairs: { schema: string; type: string }[] = [];
  const annotated = /(const (\w+Schema)): (?:z\.ZodMiniType<([\w<>]+), \3>|s\.ObjectSchema<([\w<>]+)>) =/g;
  const plain = text.replace(annotated, (_, start, schema, type, object) => {
    pairs.push({ schema, type: type ?? object });
    return `${start} =`;
  });
  const zod = "import('zod/mini')";
  const types = pairs.map(
    ({ schema, type }) =>
      `type ${aliasOf(schema)} = [${zod}.output<typeof ${schema}>, ${zod}.input<typeof ${schema}>, ${type}];`,
  );
  return { text: [plain, ...types].join('\n'), pairs };
}

/** Writes types as text: fields in the order of their names, and an open enum as the string that it is on the wire. */
class Printer {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(program: ts.Program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  /** Compares the output and the input of a schema with its type. */
  compare(nodes: ts.NodeArray<ts.Node>): Pick<Verdict, 'ofSchema' | 'ofType'> {
    const [output, input, type] = nodes.map((node) => this.#checker.getTypeAtLocation(node)) as [
      ts.Type,
      ts.Type,
      ts.Type,
    ];
    const ofType = this.#print([type]);
    const ofSchema = [output, input].map((side) => this.#print([side])).find((text) => text !== ofType) ?? ofType;
    // A schema has one object and rules where the type has several forms. Then the fields of the forms count together.
    const hasFewer = ofSchema.split('{').length < ofType.split('{').length;
    const isJoined = hasFewer && this.#print([output], true) === this.#print([type], true);
    return { ofSchema: isJoined ? ofType : ofSchema, ofType };
  }

  /** Writes a union. `isJoined`: the forms of an object as one, in which `undefined` is left to the forms. */
  #print(types: readonly ts.Type[], isJoined = false): string {
    const parts = types.flatMap((type) => (type.isUnion() ? type.types : [type]));
    const objects = parts.filter((part) => this.#isOwnObject(part));
    const forms = isJoined && objects.length > 0 ? [objects] : objects.map((one) => [one]);
    const leaves = parts.filter((part) => !objects.includes(part)).map((part) => this.#nameOf(part, isJoined));
    const words = [...leaves, ...forms.map((form) => this.#fieldsOf(form, isJoined))].filter(
      (word) => !(leaves.includes('string') && word.startsWith('"')) && word !== '' && word !== 'never',
    );
    return [...new Set(words)].sort().join(' | ');
  }

  /** Not a `Date`, nor anything else that the platform defines. */
  #isOwnObject(type: ts.Type): boolean {
    if (type.isIntersection()) return type.types.every((part) => this.#isOwnObject(part));
    if (!(type.flags & ts.TypeFlags.Object) || this.#itemOf(type)) return false;
    const files = type.symbol?.declarations?.map((declaration) => declaration.getSourceFile()) ?? [];
    return !files.some((file) => this.#program.isSourceFileDefaultLibrary(file) && type.symbol.name !== '__type');
  }

  #nameOf(type: ts.Type, isJoined: boolean): string {
    // The type that stands for a missing property is another `undefined`.
    const isMissing = type.flags & ts.TypeFlags.Undefined && (isJoined || type !== this.#checker.getUndefinedType());
    const item = this.#itemOf(type);
    if (item) return `(${this.#print([item], isJoined)})[]`;
    const isOpen = type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
    return isMissing ? '' : isOpen ? 'string' : this.#checker.typeToString(type);
  }

  #itemOf(type: ts.Type): ts.Type | undefined {
    // What an intersection adds to a list is for the compiler alone.
    if (type.isIntersection()) return type.types.map((part) => this.#itemOf(part)).find((item) => item);
    const isList = this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
    return isList ? this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;
  }

  /** Writes the fields of one object, or of several forms together. */
  #fieldsOf(forms: readonly ts.Type[], isJoined: boolean): string {
    const names = new Set(forms.flatMap((form) => form.getProperties().map(({ name }) => name)));
    const values = forms.map((form) => form.getStringIndexType()).filter((value) => value !== undefined);
    if (names.size === 0 && values.length > 0) return `{ [name: string]: ${this.#print(values, isJoined)} }`;
    const lines = [...names].sort().map((name) => {
      const fields = forms.map((form) => form.getProperty(name));
      const types = fields.flatMap((field) => (field ? [this.#checker.getTypeOfSymbol(field)] : []));
      const isOptional = fields.some((field) => !field || field.flags & ts.SymbolFlags.Optional);
      return `${name}${isOptional ? '?' : ''}: ${this.#print(types, isJoined)};`;
    });
    return `{\n${lines.join('\n')}`.replaceAll('\n', '\n  ').concat('\n}');
  }
}
