import { rootOf } from '../bson/top-fields.ts';
import { type Doc, isDoc, isNum, type Value } from '../bson/values.ts';
import { filterRoots } from '../query/matcher.ts';
import { matchOf, type Stage } from './pipeline.ts';

/**
 * The documents' own fields that a pipeline looks at; undefined where whole documents come out of it, or where that takes more than reading
 * its stages. What it names too much costs time, what it left out would be a wrong answer: when in doubt, all.
 */
export function neededFields(stages: readonly Stage[]): Set<string> | undefined {
  const names = new Set<string>();
  for (const { name, spec } of stages) {
    switch (name) {
      case '$match':
        for (const root of filterRoots(matchOf(spec))) names.add(root);
        break;
      case '$sort':
        for (const path of Object.keys(spec as Doc)) names.add(rootOf(path));
        break;
      case '$limit':
      case '$skip':
        break;
      case '$addFields':
      case '$set':
      case '$unwind':
        if (!addPaths(spec, names)) return undefined;
        break;
      case '$count':
        return names;
      case '$group':
        return addPaths(spec, names) ? names : undefined;
      case '$project':
        return addProjected(spec as Doc, names) ? names : undefined;
      case '$facet':
        return addFacets(spec as Doc, names) ? names : undefined;
      default:
        return undefined;
    }
  }
  return undefined;
}

/** Adds what expressions name; false where they name the document itself. */
function addPaths(spec: Value, names: Set<string>): boolean {
  if (Array.isArray(spec)) return spec.every((part) => addPaths(part, names));
  if (isDoc(spec)) return Object.values(spec).every((part) => addPaths(part, names));
  if (typeof spec !== 'string' || !spec.startsWith('$') || spec === '$$NOW') return true;
  const path = spec.replace(/^\$\$(ROOT|CURRENT)\.|^\$/, '');
  if (path.startsWith('$')) return false;
  names.add(rootOf(path));
  return true;
}

/** An inclusion; an exclusion, be it of `_id` alone, keeps what it does not name. */
function addProjected(spec: Doc, names: Set<string>): boolean {
  if (Object.keys(spec).join() === '_id' && hasExclusion(spec._id as Value)) return false;
  names.add('_id');
  return Object.entries(spec).every(([path, value]) => {
    names.add(rootOf(path));
    const isFlag = typeof value === 'boolean' || isNum(value);
    if (isFlag) return path === '_id' || value === true || (isNum(value) && Number(value) !== 0);
    return !hasExclusion(value) && addPaths(value, names);
  });
}

const hasExclusion = (value: Value): boolean =>
  value === false ||
  (isNum(value) && Number(value) === 0) ||
  (isDoc(value) && Object.values(value).some(hasExclusion));

function addFacets(spec: Doc, names: Set<string>): boolean {
  return Object.values(spec).every((stages) => {
    if (!Array.isArray(stages)) return false;
    const needed = neededFields(
      stages.map((stage) => ({
        name: Object.keys(stage as Doc)[0] as string,
        spec: Object.values(stage as Doc)[0] as Value,
      })),
    );
    for (const name of needed ?? []) names.add(name);
    return needed !== undefined;
  });
}
