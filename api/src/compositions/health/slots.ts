/** Groups that addresses are spread over, see `CanaryTally`. */
export const SLOTS = 32;
