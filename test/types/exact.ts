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

/** A schema, by its file and name, and where it differs from the type that it is annotated with. */
export interface Verdict {
  schema: string;
  type: string;
  differences: string[];
}

/**
 * Holds each `const xSchema: z.ZodMiniType<X, X> = …` of some files to its type: what the expression infers on the one
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
  const comparison = new Comparison(program);
  return [...sources].flatMap(([path, { pairs }]) => {
    const aliases = new Map(
      program
        .getSourceFile(path)
        ?.statements.filter(ts.isTypeAliasDeclaration)
        .map(({ name, type }) => [name.text, type]),
    );
    return pairs.map(({ schema, type }) => {
      const { elements } = aliases.get(aliasOf(schema)) as ts.TupleTypeNode;
      return { schema, type, differences: comparison.ofTuple(elements) };
    });
  });
}

function aliasOf(schema: string): string {
  return `Compared_${schema}`;
}

/** The source with the annotations of its schemas taken away, and a type at its end for each pair to compare. */
function withoutAnnotations(text: string): { text: string; pairs: { schema: string; type: string }[] } {
  const pairs: { schema: string; type: string }[] = [];
  const plain = text.replace(/(const (\w+Schema)): z\.ZodMiniType<([\w<>]+), \3> =/g, (_, start, schema, type) => {
    pairs.push({ schema, type });
    return `${start} =`;
  });
  const types = pairs.map(
    ({ schema, type }) =>
      `type ${aliasOf(schema)} = [z.core.output<typeof ${schema}>, z.core.input<typeof ${schema}>, ${type}];`,
  );
  return { text: [plain, ...types].join('\n'), pairs };
}

/** A type as a union, in the parts that are compared apart. */
interface Parts {
  /** What is no object of ours: `string`, `"sms"`, `Date`. */
  leaves: string[];
  arrays: ts.Type[];
  objects: ts.Type[];
  /** With exact optional properties, `x?: string` differs from `x?: string | undefined`. */
  undefined: boolean;
}

class Comparison {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(program: ts.Program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  /** Where the output and the input of a schema differ from its type. */
  ofTuple([output, input, type]: ts.NodeArray<ts.Node>): string[] {
    const [out, into, expected] = [output, input, type].map((node) =>
      this.#checker.getTypeAtLocation(node as ts.Node),
    ) as [ts.Type, ts.Type, ts.Type];
    return [...new Set([...this.#compare(out, expected, ''), ...this.#compare(into, expected, '')])];
  }

  #compare(schema: ts.Type, type: ts.Type, path: string): string[] {
    const [ours, theirs] = [this.#partsOf(schema), this.#partsOf(type)];
    const [left, right] = [ours, theirs].map(({ leaves }) => leaves.join(' | ') || 'nothing');
    return [
      ...(left === right ? [] : [`${path || 'the whole'}: ${left} in the schema, ${right} in the type`]),
      ...(ours.undefined === theirs.undefined ? [] : [`${path}: only one of the two may be undefined`]),
      ...this.#compareArrays(ours.arrays, theirs.arrays, path),
      ...this.#compareObjects(ours.objects, theirs.objects, path),
    ];
  }

  #partsOf(type: ts.Type): Parts {
    const parts: Parts = { leaves: [], arrays: [], objects: [], undefined: false };
    for (const part of type.isUnion() ? type.types : [type]) {
      // The type that stands for a missing property is another one.
      if (part.flags & ts.TypeFlags.Undefined) parts.undefined ||= part === this.#checker.getUndefinedType();
      else if (this.#checker.isArrayType(part) || this.#checker.isTupleType(part)) parts.arrays.push(part);
      else if (this.#isOwnObject(part)) parts.objects.push(part);
      else parts.leaves.push(this.#nameOf(part));
    }
    // An open enum is any string on the wire.
    if (parts.leaves.includes('string')) parts.leaves = parts.leaves.filter((leaf) => !leaf.startsWith('"'));
    parts.leaves = [...new Set(parts.leaves)].sort();
    return parts;
  }

  /** Not a `Date`, nor anything else that the platform defines. */
  #isOwnObject(type: ts.Type): boolean {
    if (type.isIntersection()) return type.types.every((part) => this.#isOwnObject(part));
    if (!(type.flags & ts.TypeFlags.Object)) return false;
    const files = type.symbol?.declarations?.map((declaration) => declaration.getSourceFile()) ?? [];
    return !files.some((file) => this.#program.isSourceFileDefaultLibrary(file) && type.symbol.name !== '__type');
  }

  #nameOf(type: ts.Type): string {
    const isOpen = type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
    return isOpen ? 'string' : this.#checker.typeToString(type);
  }

  #compareArrays(schema: ts.Type[], type: ts.Type[], path: string): string[] {
    const [ours, theirs] = [schema, type].map((arrays) => arrays.map((array) => this.#itemOf(array)));
    if (ours?.length !== theirs?.length) return [`${path || 'the whole'}: only one of the two is an array`];
    return (ours ?? []).flatMap((item, index) => this.#compare(item, theirs?.[index] as ts.Type, `${path}[]`));
  }

  #itemOf(array: ts.Type): ts.Type {
    return this.#checker.getIndexTypeOfType(array, ts.IndexKind.Number) as ts.Type;
  }

  #compareObjects(schemas: ts.Type[], types: ts.Type[], path: string): string[] {
    const [schema, type] = [schemas[0], types[0]];
    if (!schema || !type) return schema === type ? [] : [`${path || 'the whole'}: only one of the two is an object`];
    if (schemas.length === 1) return this.#compareFields(schema, types, path);
    // Each form has its counterpart: where one has none, the closest says what is wrong.
    const closest = (form: (other: ts.Type) => string[], others: ts.Type[]) =>
      others.map(form).reduce((best, each) => (each.length < best.length ? each : best));
    return [
      ...schemas.flatMap((one) => closest((other) => this.#compareFields(one, [other], path), types)),
      ...types.flatMap((one) => closest((other) => this.#compareFields(other, [one], path), schemas)),
    ];
  }

  /** One object against a type, or against the forms that rules between its fields leave: their fields together. */
  #compareFields(schema: ts.Type, forms: ts.Type[], path: string): string[] {
    const own = new Map(schema.getProperties().map((field) => [field.name, field]));
    const names = new Set([...own.keys(), ...forms.flatMap((form) => form.getProperties().map(({ name }) => name))]);
    if (names.size === 0) return this.#compareValues(schema, forms[0] as ts.Type, path);
    return [...names].flatMap((name) => {
      const at = path === '' ? name : `${path}.${name}`;
      const field = own.get(name);
      const fields = forms.map((form) => form.getProperty(name));
      if (!field) return [`${at}: not in the schema`];
      if (fields.every((other) => other === undefined)) return [`${at}: not in the type`];
      const [ours, theirs] = [[field], fields].map((all) => all.some((each) => !each || isOptional(each)));
      if (ours !== theirs) return [`${at}: optional in ${ours ? 'the schema' : 'the type'} only`];
      const type = this.#checker.getTypeOfSymbol(field);
      if (forms.length === 1) return this.#compare(type, this.#checker.getTypeOfSymbol(fields[0] as ts.Symbol), at);
      return this.#compareJoined(type, fields, at);
    });
  }

  /** A field against what the forms have under its name; whether it may be undefined is for the forms to say. */
  #compareJoined(schema: ts.Type, fields: (ts.Symbol | undefined)[], path: string): string[] {
    const ours = this.#partsOf(schema);
    const all = fields.flatMap((field) => (field ? [this.#partsOf(this.#checker.getTypeOfSymbol(field))] : []));
    const leaves = [...new Set(all.flatMap((parts) => parts.leaves))].filter((leaf) => leaf !== 'never').sort();
    const [left, right] = [ours.leaves.join(' | '), leaves.join(' | ')];
    const arrays = all.flatMap((parts) => parts.arrays);
    const objects = all.flatMap((parts) => parts.objects);
    return [
      ...(left === right ? [] : [`${path}: ${left || 'nothing'} in the schema, ${right || 'nothing'} in the type`]),
      ...(ours.arrays.length > 0 || arrays.length > 0
        ? arrays.flatMap((array) => this.#compareArrays(ours.arrays, [array], path))
        : []),
      ...objects.flatMap((object) => this.#compareObjects(ours.objects, [object], path)),
    ];
  }

  /** Maps: objects whose names are not known. */
  #compareValues(schema: ts.Type, type: ts.Type, path: string): string[] {
    const [ours, theirs] = [schema, type].map((map) => map.getStringIndexType());
    if (!ours || !theirs) return ours === theirs ? [] : [`${path}: only one of the two is a map`];
    return this.#compare(ours, theirs, `${path}.*`);
  }
}

function isOptional({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Optional) !== 0;
}
