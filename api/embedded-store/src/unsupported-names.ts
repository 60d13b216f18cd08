import { type StoreError, unsupported } from './errors.ts';

/**
 * Names of MongoDB 7.0 that the embedded store does not support. They are refused as "not supported", so that only a misspelt name is
 * refused as unknown. Source: MongoDB manual 7.0, "Operators" and "Aggregation Stages".
 */
const UNSUPPORTED = {
  query: namesOf(`
    $alwaysFalse $alwaysTrue $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $comment $elemMatch $expr $geoIntersects $geoWithin
    $jsonSchema $mod $near $nearSphere $not $options $regex $sampleRate $text $type $where`),
  update: namesOf('$bit $currentDate $mul $pop $pullAll $push $rename'),
  stage: namesOf(`
    $addFields $bucket $bucketAuto $changeStream $changeStreamSplitLargeEvent $collStats $count $currentOp $densify $documents $fill
    $geoNear $graphLookup $indexStats $listLocalSessions $listSessions $lookup $merge $out $planCacheStats $project $redact $replaceRoot
    $replaceWith $sample $search $searchMeta $set $setWindowFields $shardedDataDistribution $skip $sort $sortByCount $unionWith $unset
    $unwind $vectorSearch`),
  accumulator: namesOf(`
    $accumulator $addToSet $avg $bottom $bottomN $count $first $firstN $last $lastN $maxN $median $mergeObjects $minN $percentile $push
    $stdDevPop $stdDevSamp $top $topN`),
  expression: namesOf(`
    $abs $accumulator $acos $acosh $add $addToSet $allElementsTrue $and $anyElementTrue $arrayElemAt $arrayToObject $asin $asinh $atan
    $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $cmp $concat $concatArrays $cond $convert $cos $cosh
    $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear
    $degreesToRadians $divide $eq $exp $filter $first $firstN $floor $function $getField $gt $gte $hour $in $indexOfArray $indexOfBytes
    $indexOfCP $isArray $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $last $lastN $let $literal $ln $log $log10 $lt $lte $ltrim $map $max
    $maxN $median $mergeObjects $meta $millisecond $min $minN $minute $month $multiply $ne $not $objectToArray $or $percentile $pow
    $radiansToDegrees $rand $range $reduce $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim
    $sampleRate $second $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin $sinh $slice $sortArray $split
    $sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $sum $switch $tan $tanh $toBool $toDate
    $toDecimal $toDouble $toInt $toLong $toLower $toObjectId $toString $toUpper $trim $trunc $tsIncrement $tsSecond $type $unsetField
    $week $year $zip`),
} satisfies Record<string, ReadonlySet<string>>;

/** @param unknown MongoDB's error for a name that it does not know */
export const refusedName = (kind: keyof typeof UNSUPPORTED, name: string, unknown: StoreError): StoreError =>
  UNSUPPORTED[kind].has(name) ? unsupported(name) : unknown;

/** The words of a list that is separated by blanks or line breaks. */
export function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

function namesOf(list: string): ReadonlySet<string> {
  return new Set(words(list));
}
