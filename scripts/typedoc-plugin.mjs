// What typedoc does not know of our sources. typedoc.jsonc names this file.
import { Converter, ReflectionKind } from 'typedoc';
import ts from 'typescript';

/** @param {import('typedoc').Application} app */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, property) => {
    const symbol = property.kindOf(ReflectionKind.Property) && context.getSymbolFromReflection(property);
    if (!symbol) return;
    property.comment ??= commentOfMappedType(context, symbol);
    property.type = typeAsWritten(context, symbol, property) ?? property.type;
  });

  // Editors look for a type in the braces and tear the link apart.
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (_, signature) => {
    const tags = signature.comment?.getTags('@throws') ?? [];
    if (tags.some(({ content: [first] }) => first?.kind === 'inline-tag'))
      app.logger.warn(`${signature.getFullName()}: write "@throws a {@link XError} if …", with a word before the link`);
  });
}

/**
 * The fields that a mapped type makes (`scheduled_facebook`) have no docstring of their own. That of the type describes
 * each of them: `type ScheduledDates = PerPlatform<'scheduled', string | null>`.
 */
function commentOfMappedType(context, symbol) {
  const { aliasSymbol, declaration } = symbol.links?.mappedType ?? {};
  // A mapped type within an intersection has no alias of its own: the type around it describes its fields.
  const around = declaration && ts.findAncestor(declaration, ts.isTypeAliasDeclaration);
  const alias = aliasSymbol ?? (around && context.checker.getSymbolAtLocation(around.name));
  const file = alias?.declarations?.[0]?.getSourceFile().fileName;
  return file && !file.includes('/node_modules/') ? context.getComment(alias, ReflectionKind.TypeAlias) : undefined;
}

/**
 * The type in the words of the source. The compiler forgets the name `PlatformName`, the order of `'low' | 'high'` and
 * the rest of a tuple. Types with members of their own stay: each would be in the model twice.
 */
function typeAsWritten(context, symbol, property) {
  const node = symbol.declarations?.map((one) => ts.isPropertySignature(one) && one.type).find(Boolean);
  const hasMembers = !node || /[{(]/.test(node.getText().replaceAll(/\/\*[\s\S]*?\*\//g, ''));
  return hasMembers ? undefined : context.converter.convertType(context.withScope(property), node);
}
