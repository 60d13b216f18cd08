import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** One type of the contract. */
export interface ContractType {
  name: string;
  /** File in api/src/contract, without its ending. */
  file: string;
  schema: z.ZodType;
  /** Whether callers send it (`z.input`), where fields with a default may be missing. */
  isInput: boolean;
  doc: string;
  /** Of a generic type, the parameter that its schema contains. */
  parameter?: z.ZodType;
}

export interface Contract {
  types: ContractType[];
  named: Map<z.ZodType, ContractType>;
  /** Comment of the field `path`, such as `embedded.done`, of a type or of one that it extends; '' without one. */
  docOf(type: ContractType, path: string, owner?: z.ZodType): string;
}

/** Reads the schemas of api/src/contract with their comments, which only the sources contain. */
export async function readContract(root: string): Promise<Contract> {
  const folder = join(root, 'api/src/contract');
  const types: ContractType[] = [];
  const docs = new Map<string, Map<string, string>>();
  for (const name of (await readdir(folder)).sort()) {
    const file = name.replace(/\.ts$/, '');
    const source = await readFile(join(folder, name), 'utf8');
    const exported = (await import(`../../contract/${name}`)) as Record<string, unknown>;
    for (const [owner, found] of docsIn(source)) docs.set(`${file}/${owner}`, found);
    for (const [, type = '', generic, kind] of source.matchAll(TYPE)) {
      const declared = exported[type];
      const parameter = generic ? z.unknown() : undefined;
      const schema = typeof declared === 'function' && parameter ? declared(parameter) : declared;
      if (!(schema instanceof z.ZodType)) continue;
      const doc = docs.get(`${file}/${type}`)?.get('') ?? '';
      types.push({
        name: type,
        file,
        schema,
        isInput: kind === 'input',
        doc,
        ...(parameter && { parameter }),
      });
    }
  }
  const named = new Map(types.map((type) => [type.schema, type]));
  /** Types by a field's schema: an extended type has the same. */
  const declaring = new Map<unknown, string[]>();
  for (const { schema, file, name } of types)
    for (const field of Object.values(shapeOf(schema)))
      declaring.set(field, [...(declaring.get(field) ?? []), `${file}/${name}`]);
  return {
    types,
    named,
    docOf({ file, name }, path, owner) {
      const key = path.slice(path.lastIndexOf('.') + 1);
      const own = docs.get(`${file}/${name}`)?.get(path);
      if (own !== undefined) return own;
      const others = declaring.get(owner && shapeOf(owner)[key]) ?? [];
      const inherited = others.flatMap((id) => docs.get(id)?.get(key) ?? []);
      if (inherited.length > 0 || path !== key) return inherited.find((doc) => doc !== '') ?? '';
      // A field of a schema that is not exported.
      const hidden = [...docs].filter(([id]) => id.startsWith(`${file}/(`));
      return hidden.map(([, fields]) => fields.get(key)).find((doc) => doc) ?? '';
    },
  };
}

const TYPE = /^export type (\w+)(<\w+>)? =\s+z\.(input|infer)</gm;
const PARTS = /^(export )?(?:const|type) (\w+)\b|^( +)'?([\w-]+)'?: |^( *)\/\*\*([\s\S]*?)\*\//gm;

/** Comments by declaration and path of the field, which the indentation tells; the path of a declaration itself is ''. */
function docsIn(source: string): Map<string, Map<string, string>> {
  const docs = new Map<string, Map<string, string>>();
  let owner = '';
  let open: { indent: number; key: string }[] = [];
  let doc = '';
  for (const [, exported, declared, indent, key, , comment] of source.matchAll(PARTS)) {
    if (comment !== undefined) {
      doc = comment.replace(/\s*\n\s*\* ?/g, ' ').trim();
      continue;
    }
    if (declared) {
      owner = exported ? declared : `(${declared})`;
      open = [];
    } else if (indent !== undefined && key) {
      open = [...open.filter((one) => one.indent < indent.length), { indent: indent.length, key }];
    }
    const found = docs.get(owner) ?? new Map<string, string>();
    const path = open.map((one) => one.key).join('.');
    if (!found.get(path)) found.set(path, doc);
    docs.set(owner, found);
    doc = '';
  }
  return docs;
}

/** The fields of an object; none for other schemas. */
export function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
}
