/** Jest's global teardown of the API tests. */
import { rm } from 'node:fs/promises';
import { TEMPLATE_DATA } from './start-test-api.ts';

export default async function removeTemplateData(): Promise<void> {
  const template = process.env[TEMPLATE_DATA];
  if (template) await rm(template, { recursive: true, force: true });
}
