import { z } from 'zod';

/** The query of every list: `limit` 1–100 (default 20), `cursor` from the previous page. */
export const PageQuery = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .default('20')
    .transform(Number)
    .pipe(z.number().min(1).max(100)),
  cursor: z.string().min(1).max(500).optional(),
});
