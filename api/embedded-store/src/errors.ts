/** The error of a command, with MongoDB's code, name and message. */
export class StoreError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly details: Record<string, unknown>;

  /** @param details further fields of the reply, such as keyPattern and keyValue of a duplicate key */
  constructor(code: number, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.codeName = CODE_NAMES[code] ?? `Location${code}`;
    this.details = details;
  }
}

/** Source: MongoDB 7.0, src/mongo/base/error_codes.yml. Codes without a name there are called LocationN. */
const CODE_NAMES: Record<number, string> = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  16: 'InvalidLength',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  64: 'WriteConcernFailed',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  91: 'ShutdownInProgress',
  115: 'CommandNotSupported',
  171: 'CannotIndexParallelArrays',
  175: 'QueryPlanKilled',
  168: 'InvalidPipelineOperator',
  197: 'InvalidIndexSpecificationOption',
  237: 'CursorKilled',
  292: 'QueryExceededMemoryLimitNoDiskUseAllowed',
  322: 'APIVersionError',
  323: 'APIStrictError',
  352: 'UnsupportedOpQueryCommand',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  12051: 'CursorInUse',
  14031: 'OutOfDiskSpace',
};

export const badValue = (message: string) => new StoreError(2, message);
export const typeMismatch = (message: string) => new StoreError(14, message);
export const failedToParse = (message: string) => new StoreError(9, message);

/** The error for what MongoDB supports and the embedded store does not. */
export const unsupported = (what: string) =>
  new StoreError(115, `${what} is not supported by the embedded store`);
