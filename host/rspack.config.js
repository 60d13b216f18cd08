import { defineHost } from '../rspack.shared.js';

export default defineHost();
