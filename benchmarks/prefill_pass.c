/* The operators of a prefill of llama2-70b on an H100, written by hand as one would for this question alone. */

#define LAYERS 80.0
#define HIDDEN 8192.0
#define HEADS 64.0
#define KV_HEADS 8.0
#define HEAD_DIM 128.0
#define FFN_HIDDEN 28672.0
#define VOCABULARY 32000.0
#define TILE 64.0               /* rows or columns that a matrix unit works on at a time */
#define MATRIX_RATE 672.792e12  /* FLOP/s */
#define ATTENTION_RATE 484.806e12
#define BANDWIDTH 2847.5e9      /* byte/s */
#define LAUNCH 8e-6             /* s */

static inline double larger(double a, double b) { return a > b ? a : b; }

static inline double product_time(double rows, double columns, double inner) {
  const double share = 1.0 / (1.0 + TILE / larger(rows, TILE) + TILE / larger(columns, TILE) + TILE / larger(inner, TILE));
  const double bytes = 2.0 * (rows * inner + inner * columns + rows * columns);
  return larger(2.0 * rows * inner * columns / (MATRIX_RATE * share), bytes / BANDWIDTH);
}

static inline double pass_time(double tp, double batch, double prompt) {
  const double tokens = batch * prompt, heads = HEADS / tp, kv_heads = larger(KV_HEADS / tp, 1.0);
  const double qkv_width = (heads + 2.0 * kv_heads) * HEAD_DIM, ffn_width = FFN_HIDDEN / tp;
  const double pairs = batch * (prompt * (prompt + 1.0) / 2.0);
  const double attention_bytes = 2.0 * tokens * 2.0 * HEAD_DIM * (2.0 * kv_heads + heads);
  const double attention = larger(4.0 * heads * HEAD_DIM * pairs / ATTENTION_RATE, attention_bytes / BANDWIDTH);
  const double width = 10.0 * HIDDEN + 2.0 * (heads + kv_heads) * HEAD_DIM + 3.0 * ffn_width;
  const double elementwise = 2.0 * tokens * width / BANDWIDTH + 4.0 * LAUNCH;
  const double products = product_time(tokens, qkv_width, HIDDEN) + product_time(tokens, HIDDEN, HIDDEN / tp) +
                          product_time(tokens, 2.0 * ffn_width, HIDDEN) + product_time(tokens, HIDDEN, ffn_width);
  const double lookup = 4.0 * tokens * HIDDEN / BANDWIDTH;
  return lookup + LAYERS * (products + attention + elementwise) + product_time(batch, VOCABULARY / tp, HIDDEN) +
         2.0 * LAUNCH;
}

/* Every combination, the last one fastest. */
void grid(const long long *count, const double *tp, const double *batch, const double *prompt, double *restrict time) {
  for (long long i = 0; i < count[0]; i++)
    for (long long j = 0; j < count[1]; j++)
      for (long long k = 0; k < count[2]; k++)
        time[(i * count[1] + j) * count[2] + k] = pass_time(tp[i], batch[j], prompt[k]);
}

/* So many configurations, one after another. */
void list(const long long *count, const double *tp, const double *batch, const double *prompt, double *restrict time) {
  for (long long i = 0; i < count[0]; i++) time[i] = pass_time(tp[i], batch[i], prompt[i]);
}
