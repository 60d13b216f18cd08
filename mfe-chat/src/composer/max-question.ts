/** The longest question that the API takes, in UTF-16 units after trimming. */
export const MAX_QUESTION = 8_000;
