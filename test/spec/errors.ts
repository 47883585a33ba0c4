// The error tables of the specification, typed in by hand, and what the contract makes of them.

/** Status codes: their class and code. */
export const statuses = [
  [400, 'BadRequestError', 'bad_request'],
  [401, 'AuthenticationError', 'authentication'],
  [403, 'PermissionDeniedError', 'permission_denied'],
  [404, 'NotFoundError', 'not_found'],
  [409, 'ConflictError', 'conflict'],
  [410, 'GoneError', 'gone'],
  [422, 'UnprocessableEntityError', 'unprocessable_entity'],
  [429, 'RateLimitError', 'rate_limit'],
  [500, 'InternalServerError', 'internal_server_error'],
  [502, 'BadGatewayError', 'bad_gateway'],
  [503, 'ServiceUnavailableError', 'service_unavailable'],
] as const;

/** The six scope errors, in French, exactly; `<identifier>` stands for the one that was not found. */
export const scopeErrors = [
  [403, "Cet établissement n'appartient pas à votre périmètre.", 'bulle_out_of_scope'],
  [403, "Cette fiche GMB n'appartient pas à votre périmètre.", 'fiche_out_of_scope'],
  [404, 'Établissement introuvable : <identifier>', 'bulle_not_found'],
  [404, 'Aucune fiche GMB associée à cette clé API.', 'no_fiche'],
  [
    400,
    'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).',
    'missing_bulle_id',
  ],
  [
    400,
    'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).',
    'missing_fiche_id',
  ],
] as const;
