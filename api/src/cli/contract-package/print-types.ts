import { z } from 'zod';
import { type Contract, type ContractType, shapeOf } from './read-contract.ts';

/** The types of one file of the contract as declarations without zod: remotes elsewhere need no library to read them. */
export function printTypes(contract: Contract, file: string): string {
  const own = contract.types.filter((type) => type.file === file);
  const imports = new Map<string, Set<string>>();
  const printed = own.map((type) => {
    const context: Context = { contract, type, imports, path: [] };
    const parameter = type.parameter ? '<T>' : '';
    const text = bodyOf(type.schema, context);
    const form =
      type.schema instanceof z.ZodObject
        ? `export interface ${type.name}${parameter} ${text}`
        : `export type ${type.name}${parameter} = ${text};`;
    return `${comment(type.doc, '')}${form}\n`;
  });
  const heads = [...imports].map(
    ([from, names]) => `import type { ${[...names].sort().join(', ')} } from './${from}.js';\n`,
  );
  return [heads.sort().join(''), ...printed].filter((part) => part !== '').join('\n');
}

interface Context {
  contract: Contract;
  type: ContractType;
  /** Names by the file that they come from. */
  imports: Map<string, Set<string>>;
  path: string[];
}

/** Fields of schemas: common ones, and the ones of each kind. */
interface Def {
  type: string;
  mode?: string;
  values: unknown[];
  entries: Record<string, unknown>;
  parts: unknown[];
  options: unknown[];
  keyType: z.ZodType;
  [part: string]: unknown;
}

function print(schema: z.ZodType, context: Context): string {
  if (schema === context.type.parameter) return 'T';
  const named = context.contract.named.get(schema);
  if (!named) return bodyOf(schema, context);
  if (named.file !== context.type.file)
    context.imports.set(named.file, (context.imports.get(named.file) ?? new Set()).add(named.name));
  return named.name;
}

function bodyOf(schema: z.ZodType, context: Context): string {
  const inner = (part: unknown) => print(part as z.ZodType, context);
  const def = schema.def as unknown as Def;
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'undefined':
      return def.type;
    case 'unknown':
    case 'custom':
      return 'unknown';
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'enum':
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(' | ');
    case 'template_literal':
      return `\`${def.parts
        .map((part) => (part instanceof z.ZodType ? `\${${inner(part)}}` : String(part)))
        .join('')}\``;
    case 'array':
      return `${bracket(inner(def.element))}[]`;
    case 'record': {
      const isPartial = def.mode === 'partial' || def.keyType._zod.values === undefined;
      const record = `Record<${inner(def.keyType)}, ${inner(def.valueType)}>`;
      return isPartial && def.keyType.def.type !== 'string' ? `Partial<${record}>` : record;
    }
    case 'union':
      return def.options.map((option) => bracket(inner(option), '&')).join(' | ');
    case 'intersection':
      return `${bracket(inner(def.left), '|')} & ${bracket(inner(def.right), '|')}`;
    case 'nullable':
      return `${inner(def.innerType)} | null`;
    case 'optional':
    case 'default':
    case 'nonoptional':
      return inner(def.innerType);
    case 'readonly':
      return `readonly ${bracket(inner(def.innerType))}`;
    case 'pipe':
      return inner(context.type.isInput ? def.in : def.out);
    case 'object':
      return fieldsOf(schema, context);
  }
  throw new Error(`${context.type.name}: a ${def.type} has no plain type here`);
}

function fieldsOf(schema: z.ZodType, context: Context): string {
  const indent = '  '.repeat(context.path.length + 1);
  const lines = Object.entries(shapeOf(schema)).map(([key, field]) => {
    const path = [...context.path, key];
    const doc = context.contract.docOf(context.type, path.join('.'), schema);
    const isOptional = (context.type.isInput ? field._zod.optin : field._zod.optout) !== undefined;
    const name = /^\w+$/.test(key) ? key : JSON.stringify(key);
    return `${comment(doc, indent)}${indent}${name}${isOptional ? '?' : ''}: ${print(field, { ...context, path })};\n`;
  });
  return `{\n${lines.join('')}${indent.slice(2)}}`;
}

function bracket(type: string, operators = '&|'): string {
  const isOpen = operators.split('').some((operator) => type.includes(` ${operator} `));
  return isOpen && !type.startsWith('{') ? `(${type})` : type;
}

function comment(doc: string, indent: string): string {
  return doc ? `${indent}/** ${doc} */\n` : '';
}
