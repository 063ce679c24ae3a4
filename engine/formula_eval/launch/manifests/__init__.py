"""Extracts the commands of containers and tasks from YAML, JSON and TOML: Kubernetes, KServe, compose, SkyPilot."""
