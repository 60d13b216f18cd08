import { rootOf } from '../bson/top-fields.ts';
import { type Doc, isDoc, type Value } from '../bson/values.ts';
import { filterRoots } from '../query/matcher.ts';
import { facetsOf, matchOf, type Stage } from './pipeline.ts';

/**
 * The top-level fields that a pipeline reads, so that the other fields of a document need not be decoded; undefined where the pipeline
 * returns whole documents. The stages must have been checked.
 */
export function neededFields(stages: readonly Stage[]): Set<string> | undefined {
  const fields = new Set<string>();
  for (const { name, spec } of stages) {
    if (name === '$group') return addPaths(spec, fields);
    if (name === '$facet') return ofFacets(spec, fields);
    if (name === '$match') for (const root of filterRoots(matchOf(spec))) fields.add(root);
  }
  return undefined;
}

/** Adds the fields that expressions name by a path. */
function addPaths(spec: Value, fields: Set<string>): Set<string> {
  if (Array.isArray(spec)) for (const part of spec) addPaths(part, fields);
  else if (isDoc(spec)) for (const part of Object.values(spec as Doc)) addPaths(part, fields);
  else if (typeof spec === 'string' && spec.startsWith('$')) fields.add(rootOf(spec.slice(1)));
  return fields;
}

function ofFacets(spec: Value, fields: Set<string>): Set<string> | undefined {
  for (const { stages } of facetsOf(spec)) {
    const needed = neededFields(stages);
    if (!needed) return undefined;
    for (const field of needed) fields.add(field);
  }
  return fields;
}
