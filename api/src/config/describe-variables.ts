import { variables } from './config.ts';

/** Variables that configure models and embeddings, which configured-models.ts and configured-embeddings.ts read: name, values, default, description. */
const OF_ENDPOINTS = [
  [
    'OPENAI_BASE_URL',
    'an http(s) address',
    '',
    'An OpenAI-compatible endpoint: OpenAI, DeepSeek, Qwen, Ollama, vLLM, llama.cpp …',
  ],
  ['OPENAI_API_KEY', 'printable ASCII', '', 'Its key, if it requires one.'],
  ['OPENAI_MODEL', 'comma-separated names', '', 'Its models; the first is the default.'],
  ['OPENAI_VISION', 'true or false', 'false', 'Whether these models accept images.'],
  ['OPENAI_CONTEXT_TOKENS', 'at least 2000', '16000', 'Maximum tokens of prompt and answer together.'],
  [
    'MODELS',
    'a JSON array',
    '',
    'Models at other endpoints: `[{"name": "fast", "model": "deepseek-chat", "baseUrl": "https://…/v1", "apiKeyEnv": "DEEPSEEK_KEY", "vision": false, "contextTokens": 64000}]`. `apiKeyEnv` names a variable, `apiKey` is the key itself.',
  ],
  [
    'EMBEDDINGS_BASE_URL',
    'an http(s) address',
    '',
    'An OpenAI-compatible endpoint for embeddings: passages are found and ranked by its vectors.',
  ],
  ['EMBEDDINGS_MODEL', 'text of 1–200 characters', '', 'Its model.'],
  ['EMBEDDINGS_API_KEY', 'printable ASCII', '', 'Its key, if it requires one.'],
  [
    'EMBEDDINGS_QUERY_PREFIX',
    'text or none',
    'by model',
    'Text that the model expects before a question, such as `query:` for e5.',
  ],
  ['EMBEDDINGS_PASSAGE_PREFIX', 'text or none', 'by model', 'Text that the model expects before a passage.'],
  [
    'EMBEDDINGS_TIMEOUT_MS',
    '10–10000',
    '300',
    'Milliseconds after which a question is answered without its embedding.',
  ],
] as const;

/** The page of all environment variables (Markdown). */
export function describeVariables(): string {
  const own = Object.values(variables()).map(({ name, expected, schema, shownDefault, about }) => [
    name,
    expected,
    shownDefault ?? shown(schema.parse(undefined)),
    about,
  ]);
  const rows = [...own, ...OF_ENDPOINTS].map((cells) => {
    const [name, ...others] = cells.map((cell) => cell.replaceAll('|', '\\|'));
    return `| \`${name}\` | ${others.join(' | ')} |`;
  });
  return `# Configuration

<!-- Generated from api/src/config: UPDATE_DOCS=1 npm run unit -- api/src/config -->

Environment variables. An invalid value stops the start with a message that names it; an empty value counts as unset. What administrators change on
a screen (\`/chatbot/settings\`) takes effect without a restart, see the [handbook](api/handbook/en/11-running.md).

| variable | values | default | meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

function shown(value: unknown): string {
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return '';
  return String(value);
}
