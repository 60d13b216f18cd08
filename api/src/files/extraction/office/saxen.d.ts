declare module 'saxen' {
  type Decode = (text: string) => string;

  /** SAX parser for XML; entities other than the five predefined ones and numeric ones are left unchanged. */
  export class Parser {
    on(
      event: 'openTag',
      handle: (name: string, attributes: () => Record<string, string>, decode: Decode) => void,
    ): this;
    on(event: 'closeTag', handle: (name: string) => void): this;
    on(event: 'text', handle: (text: string, decode: Decode) => void): this;
    on(event: 'attention', handle: (declaration: string) => void): this;
    on(event: 'cdata', handle: (text: string) => void): this;
    on(event: 'error' | 'warn', handle: (error: Error) => void): this;
    parse(xml: string): this;
  }
}
