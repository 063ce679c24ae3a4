"""The keywords of our inputs, by type: what `load()` gives. Written by `python editors/stubs.py`."""

from collections.abc import Mapping, Sequence
from datetime import date
from math import nan
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack
from formula_eval.analyse.calibration.calibration import Calibration
from formula_eval.analyse.closed_form import ClosedForm
from formula_eval.analyse.compare.comparison import Comparison
from formula_eval.analyse.influences import Sensitivity
from formula_eval.analyse.plan.planned import Plan
from formula_eval.analyse.sobol_indices import Spread
from formula_eval.analyse.solver import Solved
from formula_eval.api.answer import Answer
from formula_eval.api.formula import Explanation
from formula_eval.api.formulas import Formulas
from formula_eval.api.search_result import SearchResult
from formula_eval.api.sweep_result import SweepResult

Whole = int | str
Number = float | str
Day = date | str
Named = str | Path | Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]

class Given(TypedDict, total=False):
    model: Named
    instance: Named
    api: Named
    grid: Named
    workload: Named
    gpu: Named
    hardware: Named
    format: Named
    number_format: Named
    family: Named
    offer: Named
    engine: Named
    interval: Named
    layer_kinds: Rows
    acceptance_rate: Number
    activation_bits: Whole
    activation_offload: Number
    adapted_matrices: Whole
    adapter_bits: Whole
    adapter_dropout: bool
    allocator_overhead: Number
    api_usd_per_million_cached_tokens: Number
    api_usd_per_million_input_tokens: Number
    api_usd_per_million_output_tokens: Number
    arrival_burstiness: Number
    attention_backward_efficiency: Number
    attention_dp: Whole
    attention_efficiency: Number
    attention_gate: bool
    attention_generation: Literal["flash_1", "flash_2", "newest"]
    attention_kernel: Literal["fused", "unfused"]
    attention_output_bias: bool
    attention_pairs: Literal["causal", "full"]
    attention_projection: Literal["grouped", "latent"]
    attention_sinks: bool
    availability: Number
    backward_launches: Whole
    batch: Whole
    beams: Whole
    beams_share_reads: bool
    bucket_bytes: Number
    bus_group_memory: Number
    busiest_hour: Whole
    cached: Whole
    cached_heads: Literal["key_value", "query"]
    capture_layer_time: Number
    carbon_intensity: Number
    cascade_attention: bool
    causal: bool
    checkpoint_expert_bytes: Number
    checkpoint_layer_bytes: Number
    checkpoint_outer_bytes: Number
    checkpoint_params: Whole
    checkpoint_stall: Number
    checkpoint_time: Number
    checkpoint_write_bandwidth: Number
    chunk_tokens: Whole
    chunks_by_board: bool
    chunks_by_length: bool
    clock_factor: Number
    collective_algorithm: Literal["hierarchical", "tree", "flat", "in_switch", "in_network"]
    colocation_price: Number
    commitment_length: Number
    committed_replicas: Whole
    communicator_bytes: Number
    compile_layer_time: Number
    compiled_before: bool
    concurrency: Whole
    context: Whole
    context_algorithm: Literal["ring", "all_gather", "all_to_all", "ring_of_swaps"]
    context_bytes: Number
    context_imbalance: Number
    conv_bias: bool
    conv_width: Whole
    conversation_turns: Whole
    copy_size: Number
    counted_context_bytes: Number
    cp: Whole
    cpu_bandwidth: Number
    cpu_matrix_rate: Number
    cpu_memory_efficiency: Number
    cuda_graphs: bool
    deadline: Number
    decode_attention_efficiency: Number
    decode_cp: Whole
    decode_kernel_time: Number
    decode_memory_efficiency: Number
    decode_power_share: Number
    decode_tp: Whole
    dense_behind_pooling: Whole
    dense_decode_high: Number
    dense_decode_low: Number
    dense_training_high: Number
    dense_training_low: Number
    dequantising_efficiency: Number
    dispatch_bits: Whole
    distinct_share: Number
    document_pages: Number
    document_prompt: Whole
    document_tokens: Whole
    doubled_group_memory: Number
    dp: Whole
    dp_overlap_fraction: Number
    draft_model: Named
    draft_tp: Whole
    drafted_tokens: Whole
    drafter: Literal["separate_model", "own_layer", "lookup", "eagle"]
    driver_kernel_time: Number
    driver_memory_share: Number
    dropout: bool
    eager_layer_time: Number
    electricity_price: Number
    elementwise_backward_factor: Number
    elementwise_factor: Number
    embedding_bits: Number
    embedding_dim: Whole
    embedding_norm: bool
    embodied_carbon: Number
    encoder_gated: bool
    encoder_layers: Whole
    encoder_prompt: Whole
    encoder_window: Whole
    engine_evidence: Literal["measured", "typical", "prior"]
    ep: Whole
    evidence_premium: Number
    exchange_rate: Number
    exchange_rate_day: Day
    exchange_slowdown: Number
    expert_activation_bits: Whole
    expert_bias: bool
    expert_dispatch: Literal["per_expert", "per_rank"]
    expert_hidden: Whole
    expert_imbalance: Number
    expert_latent_dim: Whole
    expert_native_bits: Whole
    expert_native_kind: Literal["floating", "integer", "mx", "nvfp4"]
    expert_nodes: Whole
    expert_prefill_launch_time: Number
    expert_processor: Literal["accelerator", "host"]
    expert_tile: Whole
    expert_tp: Whole
    expert_weight_bits: Number
    expert_weight_group: Whole
    expert_weight_scale_bits: Number
    expert_weight_zero_bits: Number
    experts: Whole
    experts_per_token: Whole
    exponential_flops: Number
    exponential_speed: Number
    family_evidence: Literal["measured", "typical", "prior"]
    ffn_bias: bool
    ffn_hidden: Whole
    ffn_scalars: Whole
    final_norm: bool
    first_graph_bytes: Number
    flash_1_attention_backward_efficiency: Number
    flash_1_attention_efficiency: Number
    flash_2_attention_backward_efficiency: Number
    flash_2_attention_efficiency: Number
    forward_launches: Whole
    free_memory_fraction: Number
    frees_buffers: bool
    frees_gradients: bool
    full_values_from_keys: bool
    further_graph_bytes: Number
    fused_accumulation: bool
    gated: bool
    gather_bits: Whole
    gathering_steps: Number
    gemm_columns: Number
    gemm_efficiency_16: Number
    gemm_efficiency_32: Number
    gemm_efficiency_4: Number
    gemm_efficiency_8: Number
    gemm_inner: Number
    gemm_rows: Number
    generated: Whole
    generated_spread: Number
    generates: bool
    global_batch: Whole
    gpu_failure_interval: Number
    gpus: Whole
    gpus_per_host: Whole
    gpus_per_node: Whole
    gpus_together: Whole
    gradient_bits: Whole
    gradient_communication_bits: Whole
    gradient_offload: Number
    gradient_scatters: Whole
    grid_water_intensity: Number
    group_stride: Whole
    grouped_gemm_factor: Number
    half_aligned_factor: Number
    half_dim: Whole
    half_rate_gain: Number
    half_rate_sums: bool
    hardware_life: Number
    hardware_use: Number
    has_fp8: bool
    has_int8: bool
    has_mx: bool
    has_nvfp4: bool
    head_dim: Whole
    heads: Whole
    heavy_compression: Whole
    hidden: Whole
    hidden_driver_share: Number
    highest_price: Number
    holds_weights_and_cache: bool
    host_bandwidth: Number
    host_launch_time: Number
    host_layer_time: Number
    host_link: Number
    host_link_efficiency: Number
    host_memory: Number
    host_module_time: Number
    host_most_tokens: Whole
    host_request_time: Number
    host_sequence_time: Number
    host_step_time: Number
    host_weight_bytes: Number
    hours_per_day: Number
    idle_power_fraction: Number
    index_head_dim: Whole
    index_heads: Whole
    index_key_bits: Number
    index_top_k: Whole
    instance_date: Day
    instance_gpus: Whole
    instance_is_priced: bool
    instance_one_year_price: Number
    instance_price: Number
    instance_spot_price: Number
    instance_three_year_price: Number
    interest_rate: Number
    irreducible_loss: Number
    job_output_tokens: Whole
    job_requests: Whole
    job_starts_replicas: bool
    keep_stage_outputs: bool
    keeps_expert_format: bool
    kept_output_share: Number
    kernel_fusion: Literal["fused", "separate"]
    kernels_per_layer: Whole
    keys_are_values: bool
    kv_bits: Number
    kv_heads: Whole
    kv_lora_rank: Whole
    kv_pool_bytes: Number
    kv_pool_tokens: Whole
    kv_read_efficiency: Number
    kv_scale_bytes: Number
    labels: Whole
    labels_bias: bool
    late_share: Number
    latency_percentile: Number
    latent_attention_efficiency: Number
    latent_products: Literal["as_served", "expanded", "absorbed"]
    later_acceptance_rate: Number
    launch_time: Number
    laurel_rank: Whole
    layer_processor: Literal["accelerator", "host"]
    layers: Whole
    leaf_ports: Number
    learned_positions: Whole
    least_driver_memory: Number
    linear_key_dim: Whole
    linear_key_heads: Whole
    linear_value_dim: Whole
    linear_value_heads: Whole
    link_bandwidth: Number
    link_efficiency: Number
    link_half_bytes: Number
    link_hop_latency: Number
    link_latency: Number
    link_per_peer: Number
    linked_group_memory: Number
    lm_head_bias: bool
    lm_head_transform: bool
    lm_head_transform_bias: bool
    loaded_first_token_high: Number
    loaded_first_token_low: Number
    loaded_request_time: Number
    logits_of: Literal["last", "all"]
    lone_first_token_high: Number
    lone_first_token_low: Number
    lora_rank: Whole
    lora_target_widths: Whole
    lora_targets: Literal["q_v", "qkv", "qkvo", "all_linear"]
    loss_logit_bytes: Number
    loss_param_exponent: Number
    loss_param_factor: Number
    loss_token_exponent: Number
    loss_token_factor: Number
    loss_traffic_bytes: Number
    lowest_price: Number
    machines: Whole
    maintenance_rate: Number
    master_bits: Whole
    matrix_flops_per_joule: Number
    max_context: Whole
    max_model_len: Whole
    max_sequences: Whole
    mean_request_rate: Number
    memory_bandwidth: Number
    memory_capacity: Number
    memory_checkpoint_interval: Number
    memory_checkpoint_stall: Number
    memory_efficiency: Number
    memory_fraction: Number
    memory_margin: Number
    memory_restart_time: Number
    memory_restored_share: Number
    message: Number
    mfu_convention: Literal["palm", "megatron", "causal"]
    micro_batch: Whole
    micro_batches: Whole
    misaligned_factor: Number
    mixed_prefill_past: Whole
    mixed_prefill_tokens: Whole
    mixture_decode_high: Number
    mixture_decode_low: Number
    mixture_training_high: Number
    mixture_training_low: Number
    moe_fixed_time: Number
    moment_bits: Whole
    month_length: Number
    narrow_products: Literal["unpacked", "integer", "single"]
    native_bits: Whole
    native_kind: Literal["floating", "integer", "mx", "nvfp4"]
    network_bandwidth: Number
    network_efficiency: Number
    network_latency: Number
    newest_attention_backward_efficiency: Number
    newest_attention_efficiency: Number
    norm_vectors: Whole
    norms_per_layer: Whole
    nvme_bandwidth: Number
    offload_target: Literal["host_memory", "nvme"]
    offloaded_experts: Number
    offloaded_kv: Number
    offloaded_weights: Number
    on_demand_price: Number
    one_shot_latency: Number
    one_year_price: Number
    optimizer: Literal["adam", "adam_8bit", "sgd", "sgd_momentum", "lion", "adafactor", "muon", "lamb"]
    optimizer_offload: Number
    optimizer_steps: Whole
    output_groups: Whole
    output_head: Literal["vocabulary", "scores", "none"]
    output_lora_rank: Whole
    overlap_dp: bool
    overlap_ep: bool
    overlap_slowdown: Number
    overlap_tp: bool
    overlap_weights: bool
    overlaps_chunks: bool
    oversubscription: Number
    own_electricity_price: Number
    padded_hidden: Whole
    padded_width: Whole
    page: Whole
    page_tokens: Whole
    parallel_block: bool
    peak_16: Number
    peak_32: Number
    peak_4: Number
    peak_8: Number
    peak_int8: Number
    peak_to_mean: Number
    per_layer_embedding_dim: Whole
    per_layer_vocab: Whole
    phase: Literal["prefill", "decode"]
    pooler: bool
    power: Number
    power_limit: Number
    power_usage_effectiveness: Number
    pp: Whole
    pp_overlap_fraction: Number
    prefill_factor: Number
    prefill_interference: Number
    prefill_kernel_time: Number
    prefill_power_share: Number
    prefill_tp: Whole
    prefills_first: bool
    prefix_disk_hits: Number
    prefix_hit_rate: Number
    prefix_hits: Number
    prefix_host_hits: Number
    price: Number
    price_date: Day
    price_kind: Literal["on_demand", "spot", "one_year", "three_years", "reserved", "owned", "lowest", "highest"]
    price_lasts: Number
    price_valid_until: Day
    probe_head_dim: Whole
    probe_heads: Whole
    probe_positions: Whole
    probe_sequences: Whole
    process_start_time: Number
    prompt: Whole
    prompt_spread: Number
    published_embedding_bits: Number
    published_expert_product_bits: Whole
    published_expert_product_kind: Literal["floating", "integer", "mx", "nvfp4"]
    published_expert_weight_bits: Number
    published_expert_weight_group: Whole
    published_expert_weight_scale_bits: Number
    published_product_bits: Whole
    published_product_kind: Literal["floating", "integer", "mx", "nvfp4"]
    published_weight_bits: Number
    published_weight_group: Whole
    published_weight_scale_bits: Number
    purchase_day: Day
    purchase_price: Number
    q_lora_rank: Whole
    qk_nope_head_dim: Whole
    qk_norm: Literal["none", "per_head", "keys_only", "full_width"]
    qk_norm_vectors: Whole
    qk_rope_head_dim: Whole
    qkv_bias: bool
    questions_per_day: Whole
    queueing_share: Number
    rail_optimised: bool
    rank_wait_time: Number
    recipe: Literal["zero_fp16", "megatron", "deepspeed_fp16", "deepspeed_bf16", "fsdp", "pure_16bit", "pure_32bit", "fp8"]
    recompute: Literal["none", "core", "attention", "norm_attention_norm", "full", "selected", "elementwise"]
    redundant_experts: Whole
    relative_position_buckets: Whole
    repair_time: Number
    repeats_heads: bool
    replica_availability: Number
    request_rate: Number
    request_routing: Literal["random", "round_robin"]
    reserved_price: Number
    reserved_sequences: Whole
    reshard: bool
    residual_share: Number
    residual_streams: Whole
    restart_time: Number
    routed_row_passes: Number
    router_bias: bool
    router_correction: bool
    router_scales: bool
    row_scaled: bool
    row_scaled_factor: Number
    run_budget: Number
    run_requests: Whole
    runs_gguf: bool
    sampled_sequences: Whole
    sampler_word_bytes: Number
    scale_to_zero: bool
    scaled_products: Number
    scaling_flops: Number
    scan_chunk: Whole
    scan_count: Literal["recurrence", "matrix_products"]
    schedule: Literal["gpipe", "one_f_one_b", "interleaved", "zero_bubble_h1", "zero_bubble_h2", "zero_bubble_v", "dual_pipe", "dual_pipe_v"]
    score_gemm_factor: Number
    second_gpu: Named
    second_gpus: Whole
    second_layers: Whole
    second_price: Number
    second_purchase_price: Number
    second_share: Number
    selected_share: Number
    separate_efficiency: Number
    seq: Whole
    sequence_parallel: bool
    served_adapters: Number
    server_embodied_carbon: Number
    serving_link_latency: Number
    serving_memory_high: Number
    serving_memory_low: Number
    serving_replicas: Whole
    serving_sums: Literal["fastest", "rings"]
    shard_group: Whole
    shard_overlap_fraction: Number
    shared_expert_gate: bool
    shared_expert_hidden: Whole
    shared_prefix: Whole
    simplicity_premium: Number
    simultaneous_share: Number
    spare_replicas: Whole
    sparse_compression: Whole
    sparse_decode_attention_efficiency: Number
    sparse_gain: Number
    sparse_pairs: Literal["selected", "all"]
    sparse_prefill_attention_efficiency: Number
    sparse_units: bool
    sparse_weights: bool
    speed_spread: Number
    spilled_score_bytes: Number
    split_adapters: bool
    split_sums: Whole
    splits_layers: bool
    spot_price: Number
    ssm_bias: bool
    ssm_gated_norm: bool
    ssm_groups: Whole
    ssm_heads: Whole
    ssm_inner: Whole
    ssm_inner_norms: bool
    ssm_state: Whole
    ssm_step_rank: Whole
    staff_cost: Number
    stage_split: Literal["uniform", "balanced"]
    start_day: Day
    start_tokens: Whole
    state_bits: Number
    step_context: Whole
    step_fixed_time: Number
    step_tokens: Whole
    steps_in_backward: bool
    steps_waited: Number
    stream_mixing: Literal["none", "altup", "hyper_connections"]
    swap_ranks: Whole
    switch_sum_efficiency: Number
    switch_sum_latency: Number
    switch_sums: bool
    tax_rate: Number
    text_alone: bool
    three_year_price: Number
    tied_embeddings: bool
    token_types: Whole
    torus_axes: Number
    torus_ring: Whole
    tp: Whole
    tp_overlap_fraction: Number
    tpot_target: Number
    training_bits: Whole
    training_kernel_time: Number
    training_memory_high: Number
    training_memory_low: Number
    training_tokens: Whole
    ttft_target: Number
    tuning: Literal["full", "lora", "qlora", "adapter", "frozen_embedding"]
    turn_tokens: Whole
    uncommitted_price: Number
    uncounted_params: Whole
    unlimited_efficiency: Number
    unmeasured_decode_high: Number
    unmeasured_decode_low: Number
    unmeasured_training_high: Number
    unmeasured_training_low: Number
    unpacked_apart: bool
    unpacked_attention_efficiency: Number
    unpacked_rows: Whole
    unpacking_factor: Number
    unpacking_flops: Number
    unpacking_kernels: Whole
    updated_at_once: Whole
    users: Number
    usual_tpot: Number
    usual_ttft: Number
    v_head_dim: Whole
    vector_peak: Number
    vector_product_flops: Number
    vector_rows: Number
    virtual_stages: Whole
    vocab: Whole
    warm_compile_layer_time: Number
    water_usage_effectiveness: Number
    weight_bits: Number
    weight_group: Whole
    weight_offload: Number
    weight_scale_bits: Number
    weight_zero_bits: Number
    weights_bandwidth: Number
    whole_prompts: bool
    window: Whole
    windowed_head_dim: Whole
    windowed_kv_heads: Whole
    windowed_sinks: bool
    windowed_v_head_dim: Whole
    worker_pool: Literal["whole", "prefill_only", "decode_only"]
    workspace_bytes: Number
    writes_unpacked: bool
    written_rows: Whole
    zero_experts: Whole
    zero_stage: Whole

class SeveralGiven(TypedDict, total=False):
    model: Named | Sequence[Named]
    instance: Named | Sequence[Named]
    api: Named | Sequence[Named]
    grid: Named | Sequence[Named]
    workload: Named | Sequence[Named]
    gpu: Named | Sequence[Named]
    hardware: Named | Sequence[Named]
    format: Named | Sequence[Named]
    number_format: Named | Sequence[Named]
    family: Named | Sequence[Named]
    offer: Named | Sequence[Named]
    engine: Named | Sequence[Named]
    interval: Named | Sequence[Named]
    layer_kinds: Rows
    acceptance_rate: Number | Sequence[Number]
    activation_bits: Whole | Sequence[Whole]
    activation_offload: Number | Sequence[Number]
    adapted_matrices: Whole | Sequence[Whole]
    adapter_bits: Whole | Sequence[Whole]
    adapter_dropout: bool | Sequence[bool]
    allocator_overhead: Number | Sequence[Number]
    api_usd_per_million_cached_tokens: Number | Sequence[Number]
    api_usd_per_million_input_tokens: Number | Sequence[Number]
    api_usd_per_million_output_tokens: Number | Sequence[Number]
    arrival_burstiness: Number | Sequence[Number]
    attention_backward_efficiency: Number | Sequence[Number]
    attention_dp: Whole | Sequence[Whole]
    attention_efficiency: Number | Sequence[Number]
    attention_gate: bool | Sequence[bool]
    attention_generation: Literal["flash_1", "flash_2", "newest"] | Sequence[Literal["flash_1", "flash_2", "newest"]]
    attention_kernel: Literal["fused", "unfused"] | Sequence[Literal["fused", "unfused"]]
    attention_output_bias: bool | Sequence[bool]
    attention_pairs: Literal["causal", "full"] | Sequence[Literal["causal", "full"]]
    attention_projection: Literal["grouped", "latent"] | Sequence[Literal["grouped", "latent"]]
    attention_sinks: bool | Sequence[bool]
    availability: Number | Sequence[Number]
    backward_launches: Whole | Sequence[Whole]
    batch: Whole | Sequence[Whole]
    beams: Whole | Sequence[Whole]
    beams_share_reads: bool | Sequence[bool]
    bucket_bytes: Number | Sequence[Number]
    bus_group_memory: Number | Sequence[Number]
    busiest_hour: Whole | Sequence[Whole]
    cached: Whole | Sequence[Whole]
    cached_heads: Literal["key_value", "query"] | Sequence[Literal["key_value", "query"]]
    capture_layer_time: Number | Sequence[Number]
    carbon_intensity: Number | Sequence[Number]
    cascade_attention: bool | Sequence[bool]
    causal: bool | Sequence[bool]
    checkpoint_expert_bytes: Number | Sequence[Number]
    checkpoint_layer_bytes: Number | Sequence[Number]
    checkpoint_outer_bytes: Number | Sequence[Number]
    checkpoint_params: Whole | Sequence[Whole]
    checkpoint_stall: Number | Sequence[Number]
    checkpoint_time: Number | Sequence[Number]
    checkpoint_write_bandwidth: Number | Sequence[Number]
    chunk_tokens: Whole | Sequence[Whole]
    chunks_by_board: bool | Sequence[bool]
    chunks_by_length: bool | Sequence[bool]
    clock_factor: Number | Sequence[Number]
    collective_algorithm: Literal["hierarchical", "tree", "flat", "in_switch", "in_network"] | Sequence[Literal["hierarchical", "tree", "flat", "in_switch", "in_network"]]
    colocation_price: Number | Sequence[Number]
    commitment_length: Number | Sequence[Number]
    committed_replicas: Whole | Sequence[Whole]
    communicator_bytes: Number | Sequence[Number]
    compile_layer_time: Number | Sequence[Number]
    compiled_before: bool | Sequence[bool]
    concurrency: Whole | Sequence[Whole]
    context: Whole | Sequence[Whole]
    context_algorithm: Literal["ring", "all_gather", "all_to_all", "ring_of_swaps"] | Sequence[Literal["ring", "all_gather", "all_to_all", "ring_of_swaps"]]
    context_bytes: Number | Sequence[Number]
    context_imbalance: Number | Sequence[Number]
    conv_bias: bool | Sequence[bool]
    conv_width: Whole | Sequence[Whole]
    conversation_turns: Whole | Sequence[Whole]
    copy_size: Number | Sequence[Number]
    counted_context_bytes: Number | Sequence[Number]
    cp: Whole | Sequence[Whole]
    cpu_bandwidth: Number | Sequence[Number]
    cpu_matrix_rate: Number | Sequence[Number]
    cpu_memory_efficiency: Number | Sequence[Number]
    cuda_graphs: bool | Sequence[bool]
    deadline: Number | Sequence[Number]
    decode_attention_efficiency: Number | Sequence[Number]
    decode_cp: Whole | Sequence[Whole]
    decode_kernel_time: Number | Sequence[Number]
    decode_memory_efficiency: Number | Sequence[Number]
    decode_power_share: Number | Sequence[Number]
    decode_tp: Whole | Sequence[Whole]
    dense_behind_pooling: Whole | Sequence[Whole]
    dense_decode_high: Number | Sequence[Number]
    dense_decode_low: Number | Sequence[Number]
    dense_training_high: Number | Sequence[Number]
    dense_training_low: Number | Sequence[Number]
    dequantising_efficiency: Number | Sequence[Number]
    dispatch_bits: Whole | Sequence[Whole]
    distinct_share: Number | Sequence[Number]
    document_pages: Number | Sequence[Number]
    document_prompt: Whole | Sequence[Whole]
    document_tokens: Whole | Sequence[Whole]
    doubled_group_memory: Number | Sequence[Number]
    dp: Whole | Sequence[Whole]
    dp_overlap_fraction: Number | Sequence[Number]
    draft_model: Named | Sequence[Named]
    draft_tp: Whole | Sequence[Whole]
    drafted_tokens: Whole | Sequence[Whole]
    drafter: Literal["separate_model", "own_layer", "lookup", "eagle"] | Sequence[Literal["separate_model", "own_layer", "lookup", "eagle"]]
    driver_kernel_time: Number | Sequence[Number]
    driver_memory_share: Number | Sequence[Number]
    dropout: bool | Sequence[bool]
    eager_layer_time: Number | Sequence[Number]
    electricity_price: Number | Sequence[Number]
    elementwise_backward_factor: Number | Sequence[Number]
    elementwise_factor: Number | Sequence[Number]
    embedding_bits: Number | Sequence[Number]
    embedding_dim: Whole | Sequence[Whole]
    embedding_norm: bool | Sequence[bool]
    embodied_carbon: Number | Sequence[Number]
    encoder_gated: bool | Sequence[bool]
    encoder_layers: Whole | Sequence[Whole]
    encoder_prompt: Whole | Sequence[Whole]
    encoder_window: Whole | Sequence[Whole]
    engine_evidence: Literal["measured", "typical", "prior"] | Sequence[Literal["measured", "typical", "prior"]]
    ep: Whole | Sequence[Whole]
    evidence_premium: Number | Sequence[Number]
    exchange_rate: Number | Sequence[Number]
    exchange_rate_day: Day | Sequence[Day]
    exchange_slowdown: Number | Sequence[Number]
    expert_activation_bits: Whole | Sequence[Whole]
    expert_bias: bool | Sequence[bool]
    expert_dispatch: Literal["per_expert", "per_rank"] | Sequence[Literal["per_expert", "per_rank"]]
    expert_hidden: Whole | Sequence[Whole]
    expert_imbalance: Number | Sequence[Number]
    expert_latent_dim: Whole | Sequence[Whole]
    expert_native_bits: Whole | Sequence[Whole]
    expert_native_kind: Literal["floating", "integer", "mx", "nvfp4"] | Sequence[Literal["floating", "integer", "mx", "nvfp4"]]
    expert_nodes: Whole | Sequence[Whole]
    expert_prefill_launch_time: Number | Sequence[Number]
    expert_processor: Literal["accelerator", "host"] | Sequence[Literal["accelerator", "host"]]
    expert_tile: Whole | Sequence[Whole]
    expert_tp: Whole | Sequence[Whole]
    expert_weight_bits: Number | Sequence[Number]
    expert_weight_group: Whole | Sequence[Whole]
    expert_weight_scale_bits: Number | Sequence[Number]
    expert_weight_zero_bits: Number | Sequence[Number]
    experts: Whole | Sequence[Whole]
    experts_per_token: Whole | Sequence[Whole]
    exponential_flops: Number | Sequence[Number]
    exponential_speed: Number | Sequence[Number]
    family_evidence: Literal["measured", "typical", "prior"] | Sequence[Literal["measured", "typical", "prior"]]
    ffn_bias: bool | Sequence[bool]
    ffn_hidden: Whole | Sequence[Whole]
    ffn_scalars: Whole | Sequence[Whole]
    final_norm: bool | Sequence[bool]
    first_graph_bytes: Number | Sequence[Number]
    flash_1_attention_backward_efficiency: Number | Sequence[Number]
    flash_1_attention_efficiency: Number | Sequence[Number]
    flash_2_attention_backward_efficiency: Number | Sequence[Number]
    flash_2_attention_efficiency: Number | Sequence[Number]
    forward_launches: Whole | Sequence[Whole]
    free_memory_fraction: Number | Sequence[Number]
    frees_buffers: bool | Sequence[bool]
    frees_gradients: bool | Sequence[bool]
    full_values_from_keys: bool | Sequence[bool]
    further_graph_bytes: Number | Sequence[Number]
    fused_accumulation: bool | Sequence[bool]
    gated: bool | Sequence[bool]
    gather_bits: Whole | Sequence[Whole]
    gathering_steps: Number | Sequence[Number]
    gemm_columns: Number | Sequence[Number]
    gemm_efficiency_16: Number | Sequence[Number]
    gemm_efficiency_32: Number | Sequence[Number]
    gemm_efficiency_4: Number | Sequence[Number]
    gemm_efficiency_8: Number | Sequence[Number]
    gemm_inner: Number | Sequence[Number]
    gemm_rows: Number | Sequence[Number]
    generated: Whole | Sequence[Whole]
    generated_spread: Number | Sequence[Number]
    generates: bool | Sequence[bool]
    global_batch: Whole | Sequence[Whole]
    gpu_failure_interval: Number | Sequence[Number]
    gpus: Whole | Sequence[Whole]
    gpus_per_host: Whole | Sequence[Whole]
    gpus_per_node: Whole | Sequence[Whole]
    gpus_together: Whole | Sequence[Whole]
    gradient_bits: Whole | Sequence[Whole]
    gradient_communication_bits: Whole | Sequence[Whole]
    gradient_offload: Number | Sequence[Number]
    gradient_scatters: Whole | Sequence[Whole]
    grid_water_intensity: Number | Sequence[Number]
    group_stride: Whole | Sequence[Whole]
    grouped_gemm_factor: Number | Sequence[Number]
    half_aligned_factor: Number | Sequence[Number]
    half_dim: Whole | Sequence[Whole]
    half_rate_gain: Number | Sequence[Number]
    half_rate_sums: bool | Sequence[bool]
    hardware_life: Number | Sequence[Number]
    hardware_use: Number | Sequence[Number]
    has_fp8: bool | Sequence[bool]
    has_int8: bool | Sequence[bool]
    has_mx: bool | Sequence[bool]
    has_nvfp4: bool | Sequence[bool]
    head_dim: Whole | Sequence[Whole]
    heads: Whole | Sequence[Whole]
    heavy_compression: Whole | Sequence[Whole]
    hidden: Whole | Sequence[Whole]
    hidden_driver_share: Number | Sequence[Number]
    highest_price: Number | Sequence[Number]
    holds_weights_and_cache: bool | Sequence[bool]
    host_bandwidth: Number | Sequence[Number]
    host_launch_time: Number | Sequence[Number]
    host_layer_time: Number | Sequence[Number]
    host_link: Number | Sequence[Number]
    host_link_efficiency: Number | Sequence[Number]
    host_memory: Number | Sequence[Number]
    host_module_time: Number | Sequence[Number]
    host_most_tokens: Whole | Sequence[Whole]
    host_request_time: Number | Sequence[Number]
    host_sequence_time: Number | Sequence[Number]
    host_step_time: Number | Sequence[Number]
    host_weight_bytes: Number | Sequence[Number]
    hours_per_day: Number | Sequence[Number]
    idle_power_fraction: Number | Sequence[Number]
    index_head_dim: Whole | Sequence[Whole]
    index_heads: Whole | Sequence[Whole]
    index_key_bits: Number | Sequence[Number]
    index_top_k: Whole | Sequence[Whole]
    instance_date: Day | Sequence[Day]
    instance_gpus: Whole | Sequence[Whole]
    instance_is_priced: bool | Sequence[bool]
    instance_one_year_price: Number | Sequence[Number]
    instance_price: Number | Sequence[Number]
    instance_spot_price: Number | Sequence[Number]
    instance_three_year_price: Number | Sequence[Number]
    interest_rate: Number | Sequence[Number]
    irreducible_loss: Number | Sequence[Number]
    job_output_tokens: Whole | Sequence[Whole]
    job_requests: Whole | Sequence[Whole]
    job_starts_replicas: bool | Sequence[bool]
    keep_stage_outputs: bool | Sequence[bool]
    keeps_expert_format: bool | Sequence[bool]
    kept_output_share: Number | Sequence[Number]
    kernel_fusion: Literal["fused", "separate"] | Sequence[Literal["fused", "separate"]]
    kernels_per_layer: Whole | Sequence[Whole]
    keys_are_values: bool | Sequence[bool]
    kv_bits: Number | Sequence[Number]
    kv_heads: Whole | Sequence[Whole]
    kv_lora_rank: Whole | Sequence[Whole]
    kv_pool_bytes: Number | Sequence[Number]
    kv_pool_tokens: Whole | Sequence[Whole]
    kv_read_efficiency: Number | Sequence[Number]
    kv_scale_bytes: Number | Sequence[Number]
    labels: Whole | Sequence[Whole]
    labels_bias: bool | Sequence[bool]
    late_share: Number | Sequence[Number]
    latency_percentile: Number | Sequence[Number]
    latent_attention_efficiency: Number | Sequence[Number]
    latent_products: Literal["as_served", "expanded", "absorbed"] | Sequence[Literal["as_served", "expanded", "absorbed"]]
    later_acceptance_rate: Number | Sequence[Number]
    launch_time: Number | Sequence[Number]
    laurel_rank: Whole | Sequence[Whole]
    layer_processor: Literal["accelerator", "host"] | Sequence[Literal["accelerator", "host"]]
    layers: Whole | Sequence[Whole]
    leaf_ports: Number | Sequence[Number]
    learned_positions: Whole | Sequence[Whole]
    least_driver_memory: Number | Sequence[Number]
    linear_key_dim: Whole | Sequence[Whole]
    linear_key_heads: Whole | Sequence[Whole]
    linear_value_dim: Whole | Sequence[Whole]
    linear_value_heads: Whole | Sequence[Whole]
    link_bandwidth: Number | Sequence[Number]
    link_efficiency: Number | Sequence[Number]
    link_half_bytes: Number | Sequence[Number]
    link_hop_latency: Number | Sequence[Number]
    link_latency: Number | Sequence[Number]
    link_per_peer: Number | Sequence[Number]
    linked_group_memory: Number | Sequence[Number]
    lm_head_bias: bool | Sequence[bool]
    lm_head_transform: bool | Sequence[bool]
    lm_head_transform_bias: bool | Sequence[bool]
    loaded_first_token_high: Number | Sequence[Number]
    loaded_first_token_low: Number | Sequence[Number]
    loaded_request_time: Number | Sequence[Number]
    logits_of: Literal["last", "all"] | Sequence[Literal["last", "all"]]
    lone_first_token_high: Number | Sequence[Number]
    lone_first_token_low: Number | Sequence[Number]
    lora_rank: Whole | Sequence[Whole]
    lora_target_widths: Whole | Sequence[Whole]
    lora_targets: Literal["q_v", "qkv", "qkvo", "all_linear"] | Sequence[Literal["q_v", "qkv", "qkvo", "all_linear"]]
    loss_logit_bytes: Number | Sequence[Number]
    loss_param_exponent: Number | Sequence[Number]
    loss_param_factor: Number | Sequence[Number]
    loss_token_exponent: Number | Sequence[Number]
    loss_token_factor: Number | Sequence[Number]
    loss_traffic_bytes: Number | Sequence[Number]
    lowest_price: Number | Sequence[Number]
    machines: Whole | Sequence[Whole]
    maintenance_rate: Number | Sequence[Number]
    master_bits: Whole | Sequence[Whole]
    matrix_flops_per_joule: Number | Sequence[Number]
    max_context: Whole | Sequence[Whole]
    max_model_len: Whole | Sequence[Whole]
    max_sequences: Whole | Sequence[Whole]
    mean_request_rate: Number | Sequence[Number]
    memory_bandwidth: Number | Sequence[Number]
    memory_capacity: Number | Sequence[Number]
    memory_checkpoint_interval: Number | Sequence[Number]
    memory_checkpoint_stall: Number | Sequence[Number]
    memory_efficiency: Number | Sequence[Number]
    memory_fraction: Number | Sequence[Number]
    memory_margin: Number | Sequence[Number]
    memory_restart_time: Number | Sequence[Number]
    memory_restored_share: Number | Sequence[Number]
    message: Number | Sequence[Number]
    mfu_convention: Literal["palm", "megatron", "causal"] | Sequence[Literal["palm", "megatron", "causal"]]
    micro_batch: Whole | Sequence[Whole]
    micro_batches: Whole | Sequence[Whole]
    misaligned_factor: Number | Sequence[Number]
    mixed_prefill_past: Whole | Sequence[Whole]
    mixed_prefill_tokens: Whole | Sequence[Whole]
    mixture_decode_high: Number | Sequence[Number]
    mixture_decode_low: Number | Sequence[Number]
    mixture_training_high: Number | Sequence[Number]
    mixture_training_low: Number | Sequence[Number]
    moe_fixed_time: Number | Sequence[Number]
    moment_bits: Whole | Sequence[Whole]
    month_length: Number | Sequence[Number]
    narrow_products: Literal["unpacked", "integer", "single"] | Sequence[Literal["unpacked", "integer", "single"]]
    native_bits: Whole | Sequence[Whole]
    native_kind: Literal["floating", "integer", "mx", "nvfp4"] | Sequence[Literal["floating", "integer", "mx", "nvfp4"]]
    network_bandwidth: Number | Sequence[Number]
    network_efficiency: Number | Sequence[Number]
    network_latency: Number | Sequence[Number]
    newest_attention_backward_efficiency: Number | Sequence[Number]
    newest_attention_efficiency: Number | Sequence[Number]
    norm_vectors: Whole | Sequence[Whole]
    norms_per_layer: Whole | Sequence[Whole]
    nvme_bandwidth: Number | Sequence[Number]
    offload_target: Literal["host_memory", "nvme"] | Sequence[Literal["host_memory", "nvme"]]
    offloaded_experts: Number | Sequence[Number]
    offloaded_kv: Number | Sequence[Number]
    offloaded_weights: Number | Sequence[Number]
    on_demand_price: Number | Sequence[Number]
    one_shot_latency: Number | Sequence[Number]
    one_year_price: Number | Sequence[Number]
    optimizer: Literal["adam", "adam_8bit", "sgd", "sgd_momentum", "lion", "adafactor", "muon", "lamb"] | Sequence[Literal["adam", "adam_8bit", "sgd", "sgd_momentum", "lion", "adafactor", "muon", "lamb"]]
    optimizer_offload: Number | Sequence[Number]
    optimizer_steps: Whole | Sequence[Whole]
    output_groups: Whole | Sequence[Whole]
    output_head: Literal["vocabulary", "scores", "none"] | Sequence[Literal["vocabulary", "scores", "none"]]
    output_lora_rank: Whole | Sequence[Whole]
    overlap_dp: bool | Sequence[bool]
    overlap_ep: bool | Sequence[bool]
    overlap_slowdown: Number | Sequence[Number]
    overlap_tp: bool | Sequence[bool]
    overlap_weights: bool | Sequence[bool]
    overlaps_chunks: bool | Sequence[bool]
    oversubscription: Number | Sequence[Number]
    own_electricity_price: Number | Sequence[Number]
    padded_hidden: Whole | Sequence[Whole]
    padded_width: Whole | Sequence[Whole]
    page: Whole | Sequence[Whole]
    page_tokens: Whole | Sequence[Whole]
    parallel_block: bool | Sequence[bool]
    peak_16: Number | Sequence[Number]
    peak_32: Number | Sequence[Number]
    peak_4: Number | Sequence[Number]
    peak_8: Number | Sequence[Number]
    peak_int8: Number | Sequence[Number]
    peak_to_mean: Number | Sequence[Number]
    per_layer_embedding_dim: Whole | Sequence[Whole]
    per_layer_vocab: Whole | Sequence[Whole]
    phase: Literal["prefill", "decode"] | Sequence[Literal["prefill", "decode"]]
    pooler: bool | Sequence[bool]
    power: Number | Sequence[Number]
    power_limit: Number | Sequence[Number]
    power_usage_effectiveness: Number | Sequence[Number]
    pp: Whole | Sequence[Whole]
    pp_overlap_fraction: Number | Sequence[Number]
    prefill_factor: Number | Sequence[Number]
    prefill_interference: Number | Sequence[Number]
    prefill_kernel_time: Number | Sequence[Number]
    prefill_power_share: Number | Sequence[Number]
    prefill_tp: Whole | Sequence[Whole]
    prefills_first: bool | Sequence[bool]
    prefix_disk_hits: Number | Sequence[Number]
    prefix_hit_rate: Number | Sequence[Number]
    prefix_hits: Number | Sequence[Number]
    prefix_host_hits: Number | Sequence[Number]
    price: Number | Sequence[Number]
    price_date: Day | Sequence[Day]
    price_kind: Literal["on_demand", "spot", "one_year", "three_years", "reserved", "owned", "lowest", "highest"] | Sequence[Literal["on_demand", "spot", "one_year", "three_years", "reserved", "owned", "lowest", "highest"]]
    price_lasts: Number | Sequence[Number]
    price_valid_until: Day | Sequence[Day]
    probe_head_dim: Whole | Sequence[Whole]
    probe_heads: Whole | Sequence[Whole]
    probe_positions: Whole | Sequence[Whole]
    probe_sequences: Whole | Sequence[Whole]
    process_start_time: Number | Sequence[Number]
    prompt: Whole | Sequence[Whole]
    prompt_spread: Number | Sequence[Number]
    published_embedding_bits: Number | Sequence[Number]
    published_expert_product_bits: Whole | Sequence[Whole]
    published_expert_product_kind: Literal["floating", "integer", "mx", "nvfp4"] | Sequence[Literal["floating", "integer", "mx", "nvfp4"]]
    published_expert_weight_bits: Number | Sequence[Number]
    published_expert_weight_group: Whole | Sequence[Whole]
    published_expert_weight_scale_bits: Number | Sequence[Number]
    published_product_bits: Whole | Sequence[Whole]
    published_product_kind: Literal["floating", "integer", "mx", "nvfp4"] | Sequence[Literal["floating", "integer", "mx", "nvfp4"]]
    published_weight_bits: Number | Sequence[Number]
    published_weight_group: Whole | Sequence[Whole]
    published_weight_scale_bits: Number | Sequence[Number]
    purchase_day: Day | Sequence[Day]
    purchase_price: Number | Sequence[Number]
    q_lora_rank: Whole | Sequence[Whole]
    qk_nope_head_dim: Whole | Sequence[Whole]
    qk_norm: Literal["none", "per_head", "keys_only", "full_width"] | Sequence[Literal["none", "per_head", "keys_only", "full_width"]]
    qk_norm_vectors: Whole | Sequence[Whole]
    qk_rope_head_dim: Whole | Sequence[Whole]
    qkv_bias: bool | Sequence[bool]
    questions_per_day: Whole | Sequence[Whole]
    queueing_share: Number | Sequence[Number]
    rail_optimised: bool | Sequence[bool]
    rank_wait_time: Number | Sequence[Number]
    recipe: Literal["zero_fp16", "megatron", "deepspeed_fp16", "deepspeed_bf16", "fsdp", "pure_16bit", "pure_32bit", "fp8"] | Sequence[Literal["zero_fp16", "megatron", "deepspeed_fp16", "deepspeed_bf16", "fsdp", "pure_16bit", "pure_32bit", "fp8"]]
    recompute: Literal["none", "core", "attention", "norm_attention_norm", "full", "selected", "elementwise"] | Sequence[Literal["none", "core", "attention", "norm_attention_norm", "full", "selected", "elementwise"]]
    redundant_experts: Whole | Sequence[Whole]
    relative_position_buckets: Whole | Sequence[Whole]
    repair_time: Number | Sequence[Number]
    repeats_heads: bool | Sequence[bool]
    replica_availability: Number | Sequence[Number]
    request_rate: Number | Sequence[Number]
    request_routing: Literal["random", "round_robin"] | Sequence[Literal["random", "round_robin"]]
    reserved_price: Number | Sequence[Number]
    reserved_sequences: Whole | Sequence[Whole]
    reshard: bool | Sequence[bool]
    residual_share: Number | Sequence[Number]
    residual_streams: Whole | Sequence[Whole]
    restart_time: Number | Sequence[Number]
    routed_row_passes: Number | Sequence[Number]
    router_bias: bool | Sequence[bool]
    router_correction: bool | Sequence[bool]
    router_scales: bool | Sequence[bool]
    row_scaled: bool | Sequence[bool]
    row_scaled_factor: Number | Sequence[Number]
    run_budget: Number | Sequence[Number]
    run_requests: Whole | Sequence[Whole]
    runs_gguf: bool | Sequence[bool]
    sampled_sequences: Whole | Sequence[Whole]
    sampler_word_bytes: Number | Sequence[Number]
    scale_to_zero: bool | Sequence[bool]
    scaled_products: Number | Sequence[Number]
    scaling_flops: Number | Sequence[Number]
    scan_chunk: Whole | Sequence[Whole]
    scan_count: Literal["recurrence", "matrix_products"] | Sequence[Literal["recurrence", "matrix_products"]]
    schedule: Literal["gpipe", "one_f_one_b", "interleaved", "zero_bubble_h1", "zero_bubble_h2", "zero_bubble_v", "dual_pipe", "dual_pipe_v"] | Sequence[Literal["gpipe", "one_f_one_b", "interleaved", "zero_bubble_h1", "zero_bubble_h2", "zero_bubble_v", "dual_pipe", "dual_pipe_v"]]
    score_gemm_factor: Number | Sequence[Number]
    second_gpu: Named | Sequence[Named]
    second_gpus: Whole | Sequence[Whole]
    second_layers: Whole | Sequence[Whole]
    second_price: Number | Sequence[Number]
    second_purchase_price: Number | Sequence[Number]
    second_share: Number | Sequence[Number]
    selected_share: Number | Sequence[Number]
    separate_efficiency: Number | Sequence[Number]
    seq: Whole | Sequence[Whole]
    sequence_parallel: bool | Sequence[bool]
    served_adapters: Number | Sequence[Number]
    server_embodied_carbon: Number | Sequence[Number]
    serving_link_latency: Number | Sequence[Number]
    serving_memory_high: Number | Sequence[Number]
    serving_memory_low: Number | Sequence[Number]
    serving_replicas: Whole | Sequence[Whole]
    serving_sums: Literal["fastest", "rings"] | Sequence[Literal["fastest", "rings"]]
    shard_group: Whole | Sequence[Whole]
    shard_overlap_fraction: Number | Sequence[Number]
    shared_expert_gate: bool | Sequence[bool]
    shared_expert_hidden: Whole | Sequence[Whole]
    shared_prefix: Whole | Sequence[Whole]
    simplicity_premium: Number | Sequence[Number]
    simultaneous_share: Number | Sequence[Number]
    spare_replicas: Whole | Sequence[Whole]
    sparse_compression: Whole | Sequence[Whole]
    sparse_decode_attention_efficiency: Number | Sequence[Number]
    sparse_gain: Number | Sequence[Number]
    sparse_pairs: Literal["selected", "all"] | Sequence[Literal["selected", "all"]]
    sparse_prefill_attention_efficiency: Number | Sequence[Number]
    sparse_units: bool | Sequence[bool]
    sparse_weights: bool | Sequence[bool]
    speed_spread: Number | Sequence[Number]
    spilled_score_bytes: Number | Sequence[Number]
    split_adapters: bool | Sequence[bool]
    split_sums: Whole | Sequence[Whole]
    splits_layers: bool | Sequence[bool]
    spot_price: Number | Sequence[Number]
    ssm_bias: bool | Sequence[bool]
    ssm_gated_norm: bool | Sequence[bool]
    ssm_groups: Whole | Sequence[Whole]
    ssm_heads: Whole | Sequence[Whole]
    ssm_inner: Whole | Sequence[Whole]
    ssm_inner_norms: bool | Sequence[bool]
    ssm_state: Whole | Sequence[Whole]
    ssm_step_rank: Whole | Sequence[Whole]
    staff_cost: Number | Sequence[Number]
    stage_split: Literal["uniform", "balanced"] | Sequence[Literal["uniform", "balanced"]]
    start_day: Day | Sequence[Day]
    start_tokens: Whole | Sequence[Whole]
    state_bits: Number | Sequence[Number]
    step_context: Whole | Sequence[Whole]
    step_fixed_time: Number | Sequence[Number]
    step_tokens: Whole | Sequence[Whole]
    steps_in_backward: bool | Sequence[bool]
    steps_waited: Number | Sequence[Number]
    stream_mixing: Literal["none", "altup", "hyper_connections"] | Sequence[Literal["none", "altup", "hyper_connections"]]
    swap_ranks: Whole | Sequence[Whole]
    switch_sum_efficiency: Number | Sequence[Number]
    switch_sum_latency: Number | Sequence[Number]
    switch_sums: bool | Sequence[bool]
    tax_rate: Number | Sequence[Number]
    text_alone: bool | Sequence[bool]
    three_year_price: Number | Sequence[Number]
    tied_embeddings: bool | Sequence[bool]
    token_types: Whole | Sequence[Whole]
    torus_axes: Number | Sequence[Number]
    torus_ring: Whole | Sequence[Whole]
    tp: Whole | Sequence[Whole]
    tp_overlap_fraction: Number | Sequence[Number]
    tpot_target: Number | Sequence[Number]
    training_bits: Whole | Sequence[Whole]
    training_kernel_time: Number | Sequence[Number]
    training_memory_high: Number | Sequence[Number]
    training_memory_low: Number | Sequence[Number]
    training_tokens: Whole | Sequence[Whole]
    ttft_target: Number | Sequence[Number]
    tuning: Literal["full", "lora", "qlora", "adapter", "frozen_embedding"] | Sequence[Literal["full", "lora", "qlora", "adapter", "frozen_embedding"]]
    turn_tokens: Whole | Sequence[Whole]
    uncommitted_price: Number | Sequence[Number]
    uncounted_params: Whole | Sequence[Whole]
    unlimited_efficiency: Number | Sequence[Number]
    unmeasured_decode_high: Number | Sequence[Number]
    unmeasured_decode_low: Number | Sequence[Number]
    unmeasured_training_high: Number | Sequence[Number]
    unmeasured_training_low: Number | Sequence[Number]
    unpacked_apart: bool | Sequence[bool]
    unpacked_attention_efficiency: Number | Sequence[Number]
    unpacked_rows: Whole | Sequence[Whole]
    unpacking_factor: Number | Sequence[Number]
    unpacking_flops: Number | Sequence[Number]
    unpacking_kernels: Whole | Sequence[Whole]
    updated_at_once: Whole | Sequence[Whole]
    users: Number | Sequence[Number]
    usual_tpot: Number | Sequence[Number]
    usual_ttft: Number | Sequence[Number]
    v_head_dim: Whole | Sequence[Whole]
    vector_peak: Number | Sequence[Number]
    vector_product_flops: Number | Sequence[Number]
    vector_rows: Number | Sequence[Number]
    virtual_stages: Whole | Sequence[Whole]
    vocab: Whole | Sequence[Whole]
    warm_compile_layer_time: Number | Sequence[Number]
    water_usage_effectiveness: Number | Sequence[Number]
    weight_bits: Number | Sequence[Number]
    weight_group: Whole | Sequence[Whole]
    weight_offload: Number | Sequence[Number]
    weight_scale_bits: Number | Sequence[Number]
    weight_zero_bits: Number | Sequence[Number]
    weights_bandwidth: Number | Sequence[Number]
    whole_prompts: bool | Sequence[bool]
    window: Whole | Sequence[Whole]
    windowed_head_dim: Whole | Sequence[Whole]
    windowed_kv_heads: Whole | Sequence[Whole]
    windowed_sinks: bool | Sequence[bool]
    windowed_v_head_dim: Whole | Sequence[Whole]
    worker_pool: Literal["whole", "prefill_only", "decode_only"] | Sequence[Literal["whole", "prefill_only", "decode_only"]]
    workspace_bytes: Number | Sequence[Number]
    writes_unpacked: bool | Sequence[bool]
    written_rows: Whole | Sequence[Whole]
    zero_experts: Whole | Sequence[Whole]
    zero_stage: Whole | Sequence[Whole]

class ShippedFormulas(Formulas):
    def compare(self, *, only: Sequence[str] | str | None=None, zip: bool=False, inputs: str | Path='', answer: str='', **given: Unpack[SeveralGiven]) -> 'Comparison': ...  # type: ignore[override]
    def derive(self, name: str, *, free: Sequence[str] | str, inputs: str | Path='', answer: str='', namespace: str='', **given: Unpack[Given]) -> 'ClosedForm': ...  # type: ignore[override]
    def sensitivity(self, name: str, *, goal: float=nan, every: bool=True, inputs: str | Path='', answer: str='', namespace: str='', **given: Unpack[Given]) -> 'Sensitivity': ...  # type: ignore[override]
    def solve(self, name: str, *, where: Sequence[str] | str, inputs: str | Path='', answer: str='', namespace: str='', **given: Unpack[Given]) -> 'Solved': ...  # type: ignore[override]
    def sweep(self, *, only: Sequence[str] | str | None=None, where: Sequence[str] | str=(), zip: bool=False, sample: int | None=None, seed: int=0, workers: int | None=None, cluster: str='', inputs: str | Path='', answer: str='', **given: Unpack[SeveralGiven]) -> 'SweepResult': ...  # type: ignore[override]
    def search(self, *, minimise: str | None=None, maximise: str | None=None, where: Sequence[str] | str=(), seed: int=0, seconds: float=60.0, workers: int | None=None, cluster: str='', inputs: str | Path='', answer: str='', **given: Unpack[SeveralGiven]) -> 'SearchResult': ...  # type: ignore[override]
    def plan(self, *, traffic: str='', profile: str | Path | Sequence[float]='', pools: bool=False, seconds: float | None=None, inputs: str | Path='', answer: str='', **given: Unpack[SeveralGiven]) -> 'Plan': ...  # type: ignore[override]
    def uncertainty(self, name: str, *, draws: int=1024, seed: int=0, workers: int | None=None, cluster: str='', inputs: str | Path='', answer: str='', namespace: str='', **given: Unpack[SeveralGiven]) -> 'Spread': ...  # type: ignore[override]
    def calibrate(self, runs: str | Path, *, fit: Sequence[str] | str, group: str='', inputs: str | Path='', answer: str='', **given: Unpack[Given]) -> 'Calibration': ...  # type: ignore[override]
    def evaluate(self, *, only: Sequence[str] | str | None=None, inputs: str | Path='', answer: str='', namespace: str='', **given: Unpack[Given]) -> Answer: ...  # type: ignore[override]
    def explain(self, name: str, *, depth: int=3, inputs: str | Path='', answer: str='', namespace: str='', **given: Unpack[Given]) -> Explanation: ...  # type: ignore[override]
