import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';

let asked = 0;

/** A guest asks for a person by POST /api/handovers. Resolves with the guest and the id of the request. */
export async function askForPerson(
  url: string,
  question: string,
  contactDetails = '',
): Promise<{ visitor: Visitor; id: string }> {
  const visitor = createVisitor(url);
  const request = { question, contactDetails, clientId: `${Date.now()}-${++asked}` };
  const { status, body } = await visitor.call<{ id: string }>('POST', '/api/handovers', request);
  if (status !== 201) throw new Error(`expected a handover, got ${status} ${JSON.stringify(body)}`);
  return { visitor, id: body.id };
}
