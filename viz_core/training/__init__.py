"""Training that others can repeat: python -m viz_core.training RECIPE --data DIR"""
