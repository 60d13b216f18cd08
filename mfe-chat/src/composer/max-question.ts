/** Maximum length of a question in UTF-16 units after trimming, as in the API. */
export const MAX_QUESTION = 8_000;
