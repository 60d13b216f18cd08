import { z } from 'zod';
import { trimmedText } from '../http/body.ts';

export const ClientId = z.string().min(1).max(64);

/** A message of a visitor or an agent. */
export const Message = z.object({ text: trimmedText(8000, 1), clientId: ClientId });
