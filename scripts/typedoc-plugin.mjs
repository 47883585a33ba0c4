// What typedoc does not know of our sources. typedoc.json names this file.
import { Converter, ReflectionKind } from 'typedoc';

/** @param {import('typedoc').Application} app */
export function load(app) {
  // The fields that a mapped type makes (`scheduled_facebook`) have no docstring of their own. That of the type
  // describes each of them: `type ScheduledDates = PerPlatform<'scheduled', string | null>`.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (reflection.comment || !reflection.kindOf(ReflectionKind.Property)) return;
    const alias = context.getSymbolFromReflection(reflection)?.links?.mappedType?.aliasSymbol;
    const file = alias?.declarations?.[0]?.getSourceFile().fileName;
    if (file && !file.includes('/node_modules/'))
      reflection.comment = context.getComment(alias, ReflectionKind.TypeAlias);
  });

  // Editors look for a type in the braces and tear the link apart.
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (_, signature) => {
    const tags = signature.comment?.getTags('@throws') ?? [];
    if (tags.some(({ content: [first] }) => first?.kind === 'inline-tag'))
      app.logger.warn(`${signature.getFullName()}: write "@throws a {@link XError} if …", with a word before the link`);
  });
}
