/** A position in a document in terms that readers know; all numbers count from 1. */
export interface Place {
  page?: number;
  slide?: number;
  sheet?: string;
  row?: number;
}

/** The fields of a citation that are used here. */
interface CitedPlace {
  title: string;
  place?: string;
  at?: Place;
}

type PlaceTranslate = (key: keyof Place, values: Record<string, string | number>) => string;

/** The parts of a position: `Page 40`, or `Sheet “Prices”` and `Row 900`. */
export function placeParts({ page, slide, sheet, row }: Place, t: PlaceTranslate): string[] {
  return [
    ...(page === undefined ? [] : [t('page', { n: page })]),
    ...(slide === undefined ? [] : [t('slide', { n: slide })]),
    ...(sheet === undefined ? [] : [t('sheet', { name: sheet })]),
    ...(row === undefined ? [] : [t('row', { n: row })]),
  ];
}

/** Where a quote is found in its document: `Large items · Row 14`; '' if unknown. */
export function citedPlace({ title, place, at = {} }: CitedPlace, t: PlaceTranslate): string {
  const section = nearestHeading(place);
  const { sheet, ...others } = at;
  const isNamed = sheet === undefined || sheet === section;
  return [section === title ? '' : section, ...placeParts(isNamed ? others : at, t)]
    .filter(Boolean)
    .join(' · ');
}

/** The last part of a heading path; '' without one. */
export function nearestHeading(place = ''): string {
  return place.split(' › ').at(-1)!;
}
