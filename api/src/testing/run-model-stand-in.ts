import { parseArgs } from 'node:util';
import { behave, behaviours } from './model-behaviours.ts';
import { listenAsModel } from './model-stand-in.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8600' }, help: { type: 'boolean', default: false } },
});

const list = Object.entries(behaviours).map(([word, { says }]) => `  ${word.padEnd(12)}${says}`);
if (values.help) {
  process.stdout.write(
    `node api/src/testing/run-model-stand-in.ts [--port 8600]\n\nAn OpenAI-compatible endpoint that does what a word in the question says:\n${list.join('\n')}\n`,
  );
} else {
  const { baseUrl } = await listenAsModel(Number(values.port), behave);
  process.stdout.write(`OPENAI_BASE_URL=${baseUrl} OPENAI_MODEL=stand-in\n`);
}
