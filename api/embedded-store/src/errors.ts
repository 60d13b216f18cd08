import codeNames from './error-code-names.json' with { type: 'json' };

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
const CODE_NAMES: Readonly<Record<number, string>> = codeNames;

export const badValue = (message: string) => new StoreError(2, message);
export const typeMismatch = (message: string) => new StoreError(14, message);
export const failedToParse = (message: string) => new StoreError(9, message);

/** The error for what MongoDB supports and the embedded store does not. */
export const unsupported = (what: string) =>
  new StoreError(115, `${what} is not supported by the embedded store`);
